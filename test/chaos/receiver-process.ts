import { createHash } from "node:crypto";
import { fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery } from "./delivery.ts";

/*
 * A merchant's server: `receiver-process.ts FILE PORT FAILURES`. It writes every delivery to the file before it responds with
 * 200, or with 500 for a fraction of them. Prints its port when it listens.
 */

const [file = "", port = "0", failures = "0"] = process.argv.slice(2);
const log = openSync(file, "a");
let count = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly data: { readonly type: string; readonly id: string };
      readonly included: unknown;
    };
    count += 1;
    const webhookId = String(request.headers["webhook-id"]);
    const delivery: Delivery = {
      webhookId,
      objectId: body.data.id,
      digest: createHash("sha256")
        .update(JSON.stringify([body.data, body.included]))
        .digest("hex"),
      status: failsAt(webhookId, count) ? 500 : 200,
    };
    writeSync(log, `${JSON.stringify(delivery)}\n`);
    fsyncSync(log);
    response.writeHead(delivery.status).end();
  });
});

/** Chosen by a hash instead of at random: no series of failures is long enough to look like an outage. */
function failsAt(webhookId: string, delivery: number): boolean {
  const digest = createHash("sha256").update(`${webhookId} ${delivery}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32 < Number(failures);
}

server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
