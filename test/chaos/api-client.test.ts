import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { ApiClient, type SeenCall } from "./api-client.ts";

/* Clients of the crash tests use every api, and the other one while the connections of one break. */

type Api = { readonly url: string; readonly server: Server; isAway: boolean; answers: number };

async function startApi(): Promise<Api> {
  const server = createServer((request, response) => {
    request.resume();
    if (api.isAway) {
      request.socket.destroy();
      return;
    }
    api.answers += 1;
    const resource = { id: "7", attributes: {}, relationships: {} };
    response.writeHead(200).end(JSON.stringify({ data: resource }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const api: Api = { url: `http://127.0.0.1:${port}`, server, isAway: false, answers: 0 };
  return api;
}

it("takes turns between the servers, and asks the other one where a connection breaks", async () => {
  const [first, second] = [await startApi(), await startApi()];
  const calls: SeenCall[] = [];
  const client = new ApiClient(
    [first.url, second.url],
    { login: "shop", password: "secret" },
    { onCall: (call) => calls.push(call) },
  );
  const never = new AbortController().signal;
  for (let count = 0; count < 4; count += 1) await client.deposit("7", never);
  expect([first.answers, second.answers]).toEqual([2, 2]);

  first.isAway = true;
  for (let count = 0; count < 4; count += 1)
    expect(await client.deposit("7", never)).toMatchObject({ id: "7" });
  expect([first.answers, second.answers]).toEqual([2, 6]);
  const broken = calls.filter(({ status }) => status === null).length;
  expect([broken, calls.length]).toEqual([2, 10]);
  expect(client.faults).toEqual([]);
  for (const { server } of [first, second]) {
    server.closeAllConnections();
    server.close();
  }
});
