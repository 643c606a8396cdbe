-- What those need who speak a protocol themselves: encodings, digests, tokens, compressed bytes, XML, files.

scenario("base64, hexadecimal digits and parts of URLs", function()
    expect(base64.encode "hello?>", "aGVsbG8/Pg==")
    expect(base64.encode("hello?>", { url = true }), "aGVsbG8_Pg")
    expect(base64.encode("hello?>", { padding = false }), "aGVsbG8/Pg")
    expect(base64.encode("hello?>", { url = true, padding = true }), "aGVsbG8_Pg==")
    for _, text in ipairs { "aGVsbG8/Pg==", "aGVsbG8_Pg", "aGVsbG8/Pg", "aGVsbG8_Pg==" } do
        expect(base64.decode(text), "hello?>")
    end
    expect(#base64.decode(base64.encode(string.pack(">I4", 0xFFFEFDFC))), 4)
    expect(hex.encode "\0\xFF", "00ff")
    expect(hex.decode "414B", "AK")
    expect(url.encode "a b/ä", "a%20b%2F%C3%A4")
    expect(url.decode "a%20b%2F%C3%A4+", "a b/ä+")
    expect(url.encode_query { q = "a b", n = 3, tag = { "x", "y" } }, "n=3&q=a%20b&tag=x&tag=y")
    expect(url.decode_query "?q=a+b&tag=x&tag=y", { q = "a b", tag = { "x", "y" } })
end)

scenario("digests, codes and keys", function()
    expect(hash.sha1("abc", "hex"), "a9993e364706816aba3e25717850c26c9cd0d89d")
    expect(hash.md5("abc", "hex"), "900150983cd24fb0d6963f7d28e17f72")
    expect(hex.encode(hash.sha256 "abc"), hash.sha256("abc", "hex"))
    -- The answer of a WebSocket server to the key of RFC 6455.
    expect(hash.sha1("dGhlIHNhbXBsZSBub25jZQ==" .. "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "base64"),
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    expect(hmac.sha256("Jefe", "what do ya want for nothing?", "hex"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    expect(pbkdf2.sha1("password", "salt", 4096, 20, "hex"), "4b007901b765489abead49d926f721d065a429c1")
end)

scenario("SCRAM-SHA-1, as in RFC 5802", function()
    local function xor(a, b)
        local bytes = {}
        for place = 1, #a do bytes[place] = string.char(a:byte(place) ~ b:byte(place)) end
        return table.concat(bytes)
    end
    local first = "n=user,r=fyko+d2lbbFgONRv9qkxdawL"
    local challenge = "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096"
    local final = "c=" .. base64.encode "n,," .. ",r=" .. challenge:match "r=([^,]+)"
    local salted = pbkdf2.sha1("pencil", base64.decode(challenge:match "s=([^,]+)"), tonumber(challenge:match "i=(%d+)"))
    local key = hmac.sha1(salted, "Client Key")
    local proof = xor(key, hmac.sha1(hash.sha1(key), first .. "," .. challenge .. "," .. final))
    expect(base64.encode(proof), "v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=")
end)

scenario("JSON Web Tokens", function()
    local token = jwt.make({ sub = "ada", exp = date.epoch "2030-01-01" }, "a shared key", { header = { kid = "1" } })
    expect(token, match.regex [[[\w-]+\.[\w-]+\.[\w-]+]])
    local claims, header = jwt.read(token, "a shared key")
    expect(claims, { sub = "ada", exp = 1893456000 })
    expect(header, { alg = "HS256", typ = "JWT", kid = "1" })
    expect(jwt.read(token).sub, "ada")
    local passed, problem = pcall(jwt.read, token, "another key")
    expect(not passed and problem.kind, "jwt")
end)

scenario("compressed bytes", function()
    local text = ("to be or not to be, "):rep(100)
    expect(#gzip.compress(text) < 100, true, "it is small")
    expect(gzip.expand(gzip.compress(text)), text)
    expect(deflate.expand(deflate.compress(text)), text)
    expect(deflate.expand(deflate.compress(text, { raw = true }), { raw = true }), text)
    local passed, problem = pcall(gzip.expand, gzip.compress(text), { limit = 100 })
    expect(not passed and problem.message, match.contains "more than 100 bytes")
end)

scenario("XML, whole and in pieces", function()
    local message = xml.read [[<message xmlns="jabber:client" to="ada"><body>1 &lt; 2</body><active xmlns="urn:x"/></message>]]
    expect(message.attributes.to, "ada")
    expect(message.children[1], { name = "body", namespace = "jabber:client", text = "1 < 2" })
    expect(xml.write { name = "body", attributes = { lang = "de" }, text = "1 < 2" }, [[<body lang="de">1 &lt; 2</body>]])
    expect(xml.read(xml.write(message)), match.equals(message))
    expect(xml.escape [[<"&">]], "&lt;&quot;&amp;&quot;&gt;")

    local reader = xml.reader()
    reader:feed "<stream><mess"
    expect(reader:next(), { kind = "start", name = "stream" })
    expect(reader:next(), nil, "the rest has not come yet")
    reader:feed "age>hi</message>"
    expect(reader:next(), { kind = "start", name = "message" })
    expect(reader:next(), { kind = "text", text = "hi" })
    expect(reader:next(), { kind = "end", name = "message" })
end)

scenario("files of the project", function()
    expect(read_text "greetings.txt", match.contains "\n")
    expect(#read_bytes "greetings.txt", #read_text "greetings.txt")
end)
