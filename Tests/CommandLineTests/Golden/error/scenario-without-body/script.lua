scenario "greeting"
