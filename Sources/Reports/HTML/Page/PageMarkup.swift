/// The elements of a page that are there before its script runs; they hold no data.
enum PageMarkup {
    static let text = #"""
        <header id="top">
          <a id="home" href="#" title="Overview (Esc)">repartee</a>
          <p id="facts"></p>
          <button id="help-button" type="button" title="Keys (?)">Keys</button>
          <button id="theme" type="button" title="Light or dark (t)">Theme</button>
        </header>
        <main id="panes">
          <section id="list-pane" aria-label="Scenarios">
            <div id="filters">
              <input id="search" type="search" placeholder="Search names, files, tags, failures  ( / )"
                aria-label="Search" autocomplete="off" spellcheck="false">
              <div id="outcomes" role="group" aria-label="Outcomes"></div>
              <div id="choices">
                <select id="tags" aria-label="Tag"></select>
                <select id="order" aria-label="Order">
                  <option value="trouble">trouble first</option>
                  <option value="run">as they ran</option>
                  <option value="slow">slowest first</option>
                  <option value="name">by name</option>
                </select>
                <output id="shown"></output>
              </div>
            </div>
            <div id="list" role="listbox" tabindex="0" aria-label="Scenarios"><div id="rows"></div></div>
          </section>
          <section id="detail" aria-label="Scenario" tabindex="-1"></section>
        </main>
        <dialog id="help" aria-label="Keys"></dialog>
        <noscript>This report shows its contents with a script of its own; please let it run.</noscript>
        """#
}
