/// The file that ``SampleRun`` gives in the profile `default`.
enum JUnitGolden {
    static let `default` = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="repartee" tests="4" failures="1" errors="1" time="0.000">
          <testsuite name="Scenarios/queue.lua" tests="2" failures="1" errors="0" skipped="0" time="0.000" file="Scenarios/queue.lua">
            <properties>
              <property name="seed" value="42"/>
              <property name="clock" value="virtual"/>
              <property name="target" value="embedded"/>
              <property name="repartee" value="0.1.0"/>
              <property name="virtual_time" value="5.350"/>
            </properties>
            <testcase name="a visitor waits" classname="Scenarios.queue" file="Scenarios/queue.lua" line="3" time="0.000">
              <properties>
                <property name="virtual_time" value="2.350"/>
                <property name="tags" value="smoke,queue"/>
              </properties>
              <system-out>      +0s  visitor joins as visitor (boldchat)
              +0s  visitor → say text="hi"
            +1.2s  visitor ← #1 message from="operator" text="hello"
              +0s  visitor ✓ message (line 5): #1
        </system-out>
            </testcase>
            <testcase name="queue › the position falls [French]" classname="Scenarios.queue" file="Scenarios/queue.lua" line="8" time="0.000">
              <properties>
                <property name="virtual_time" value="3.000"/>
                <property name="attachment" value="Reports/screen.txt"/>
              </properties>
              <failure message="no queue event within 3s" type="timeout">no queue event within 3s
        at Scenarios/queue.lua:9

          &gt; 9 | visitor:expect("queue", { position = 1 })
              | ^^^^^^^^^^^^^^

        expected  queue  position = 1
        nearest   #2 queue at 1.2s
                    position  expected 1
                              found    2
        timeline  ✓ #1  0s     connected
                  ! #2  +1.2s  queue  position=2
        limit     the 3s of this expectation

        a soft one
        at Scenarios/queue.lua:7
        (soft: the scenario went on)

        replay    repartee test Scenarios/queue.lua --filter 'queue › the position falls [French]' --seed 42</failure>
              <system-out>[[ATTACHMENT|Reports/screen.txt]]
            +1.2s  visitor ← #2 queue position=2
           +450ms  attached screen: Reports/screen.txt
        </system-out>
            </testcase>
          </testsuite>
          <testsuite name="Scenarios/forms/survey.v2.lua" tests="2" failures="0" errors="1" skipped="1" time="0.000" file="Scenarios/forms/survey.v2.lua">
            <properties>
              <property name="seed" value="42"/>
              <property name="clock" value="virtual"/>
              <property name="target" value="embedded"/>
              <property name="repartee" value="0.1.0"/>
              <property name="virtual_time" value="0.001"/>
            </properties>
            <testcase name="rates &lt;the&gt; &quot;agent&quot; &amp; leaves" classname="Scenarios.forms.survey_v2" file="Scenarios/forms/survey.v2.lua" line="1" time="0.000">
              <properties>
                <property name="virtual_time" value="0.000"/>
              </properties>
              <skipped message="no camera on this machine" type="skipped">no camera on this machine</skipped>
            </testcase>
            <testcase name="breaks" classname="Scenarios.forms.survey_v2" file="Scenarios/forms/survey.v2.lua" line="20" time="0.000">
              <properties>
                <property name="virtual_time" value="0.001"/>
              </properties>
              <error message="attempt to index a nil value (global 'visitr')" type="script">attempt to index a nil value (global 'visitr')

        replay    repartee test Scenarios/forms/survey.v2.lua --filter breaks --seed 42</error>
            </testcase>
          </testsuite>
        </testsuites>

        """#
}
