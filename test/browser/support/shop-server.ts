import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Serves one page of a shop at an origin of its own, until the test ends, under a policy that allows scripts and frames of the service and
 * no inline styles. The page lists the events of its button as lines of text.
 */
export async function serveShop(service: string, paymentPage: string): Promise<string> {
  const script = `
    const log = document.querySelector("#log");
    for (const name of ["sluice:state", "sluice:close"])
      document.addEventListener(name, ({ type, detail }) => {
        log.append(type.slice(7) + " " + (detail.order ?? "-") + " " + detail.stage + "\\n");
      });`;
  const html = `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Order 4711</title>
        <link rel="icon" href="data:,">
        <script src="${service}/embed.js" defer></script>
        <script src="/shop.js" defer></script>
      </head>
      <body>
        <main>
          <h1>Order 4711</h1>
          <button type="button" data-sluice-payment="${paymentPage}">Pay with crypto</button>
          <pre id="log"></pre>
        </main>
      </body>
    </html>`;
  const server = createServer(({ url }, response) => {
    const isScript = url === "/shop.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; script-src 'self' ${service}; frame-src ${service}; img-src data:`,
    });
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
