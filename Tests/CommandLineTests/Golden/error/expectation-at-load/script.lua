wait "1s"
