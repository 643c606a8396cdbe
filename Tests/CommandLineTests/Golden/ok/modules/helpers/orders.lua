return { number = 1815 }
