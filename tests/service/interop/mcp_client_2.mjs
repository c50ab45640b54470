import * as mcp from '@modelcontextprotocol/client';
import { connectAndUse } from './mcp_flow.mjs';
import { run } from './steps.mjs';

run(() => connectAndUse(mcp));
