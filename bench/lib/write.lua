-- Sends writes of one kind, each for the next unit or account, with its own number.
-- arguments: cancel, edit or create; the maximum number of writes; the number of units, the first unit's ID; for creations also
-- the accounts' keys
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "read.lua")

local make_body, units, first_unit, limit
local heads = {}
posted, rejected = 0, 0

-- Numbers have fixed widths, so that all bodies have the same length and share their header: the load generator competes with
-- the server for processor time.
local kinds = {}

-- The reference and the unit of figures/writes.py's booking with this number.
function kinds.cancel(number)
  return string.format('{"event":"booking-cancelled","offer_api_reference":"%07d",'
    .. '"booking_id":"00000000-0000-4000-8000-%012x"}', first_unit + number % units, number)
end

-- Each edit of a unit changes its rent.
function kinds.edit(number)
  return string.format('{"externalId":"%07d","isRentFixed":true,"rent":%04d.50,"rentsPerMonth":[],"minStayPeriod":1,'
    .. '"maxStayPeriod":11,"extraPricePerTenant":50,"availableFrom":"2030-02-01","capacity":2,"cleaningFeeValue":0,'
    .. '"billsIncludedMaxValue":0,"adminFeeValue":150,"depositValue":650,"landlordEmail":"feeds@landlord.example",'
    .. '"unavailabilities":[]}', first_unit + number % units, 1000 + math.floor(number / units) % 1000)
end

function kinds.create(number)
  return string.format('{"id":"%09d","address":"Rua 1","rooms":[{"id":1,"accommodation":"rooms","internalName":"%09d",'
    .. '"number":1,"rent":650,"fixedRent":true}]}', number, number)
end

local function head_with(key)
  local example = make_body(0)
  local headers = {["Content-Type"] = "application/json", ["svc-api-key"] = key}
  for name, value in pairs(wrk.headers) do headers[name] = value end
  return wrk.format(make_body == kinds.edit and "PUT" or "POST", nil, headers, example):sub(1, -#example - 1)
end

function init(arguments)
  make_body = kinds[arguments[1]]
  limit, units, first_unit = tonumber(arguments[2]), tonumber(arguments[3]), tonumber(arguments[4])
  for i = 5, #arguments do table.insert(heads, head_with(arguments[i])) end
  if #heads == 0 then heads[1] = head_with(nil) end
  if make_body == kinds.cancel then
    function response(_, _, body)
      if body ~= '{"ok":true}' then rejected = rejected + 1 end
    end
  end
end

function request()
  local number = posted
  posted = posted + 1
  if posted >= limit then wrk.thread:stop() end
  return heads[number % #heads + 1] .. make_body(number)
end

local threads = {}
function setup(thread) table.insert(threads, thread) end

local print_result = done
function done(summary, ...)
  local sent = 0
  for _, thread in ipairs(threads) do
    sent = sent + thread:get("posted")
    summary.errors.status = summary.errors.status + thread:get("rejected")
  end
  print_result(summary, ...)
  print(string.format("posted %d", sent))
end
