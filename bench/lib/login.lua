-- Logins of addresses that are nobody's, each another one: all the work of a wrong password.
local number, begun = 0, os.time()

function request()
  number = number + 1
  local body = string.format('{"email":"nobody%d-%d@landlord.example","password":"wrong-one"}', begun, number)
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, body)
end
