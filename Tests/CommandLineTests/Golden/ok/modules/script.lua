-- require finds files below the project only.
local orders = require "helpers.orders"

scenario("a module beside the script", function()
    expect(orders.number, 1815)
    expect(require "helpers.orders", orders)
end)

scenario("a module changes nothing for others", function()
    expect(orders.touched, nil)
    orders.touched = true
end)

scenario("a module changes nothing for others, again", function()
    expect(orders.touched, nil)
    orders.touched = true
end)

for _, name in ipairs { "../outside", "/etc/passwd", "..outside", "helpers..orders", "helpers/../../outside", "out" } do
    scenario("not " .. name, function()
        local found, message = pcall(require, name)
        expect(found, false)
        print(message)
    end)
end
