import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

import { leadConnection } from './mcp_session.mjs';

await leadConnection({
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  finish: (transport, parameters) => transport.finishAuth(parameters), // it looks at `iss` itself
});
