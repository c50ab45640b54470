import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectAndUse } from './mcp_flow.mjs';
import { run } from './steps.mjs';

class transport extends StreamableHTTPClientTransport {
  finishAuth(parameters) {
    return super.finishAuth(parameters.get('code'));
  }
}

run(() => connectAndUse({ Client, StreamableHTTPClientTransport: transport, UnauthorizedError }));
