-- Sends logins of unknown addresses, a different one each time: they cost as much as a wrong password.
local number, started_at = 0, os.time()

function request()
  number = number + 1
  local body = string.format('{"email":"unknown%d-%d@landlord.example","password":"wrong-one"}', started_at, number)
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, body)
end
