import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The minimum work of an api in one Node.js process: answers every request with the same text, without reading anything.

export type BareHttpOrder = { readonly body: string; readonly headers: Record<string, string> };

process.on("message", ({ body, headers }: BareHttpOrder) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ origin: `http://127.0.0.1:${port}` });
  });
});
process.on("disconnect", () => process.exit());
