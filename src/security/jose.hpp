#pragma once

#include <cjose/cjose.h>
#include <memory>

/// Owning pointers to cjose objects.
namespace roost::security {

struct cjose_deleter {
  void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
  void operator()(cjose_jws_t* token) const { cjose_jws_release(token); }
  void operator()(cjose_header_t* header) const { cjose_header_release(header); }
};
using owned_jwk = std::unique_ptr<cjose_jwk_t, cjose_deleter>;
using owned_jws = std::unique_ptr<cjose_jws_t, cjose_deleter>;
using owned_header = std::unique_ptr<cjose_header_t, cjose_deleter>;

} // namespace roost::security
