/** `sluice health` asks a process on this machine, and rejects with the reason if it does not work. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { runDeploymentSigner } from "../../../test/support/deployment-signer.ts";
import { checkHealth } from "./check-health.ts";

const terminal = openTerminal();
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.writeHead(request.url === "/healthz" ? 200 : 503).end();
});
let port = 0;
let files: DeploymentFiles;
beforeEach(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
  const everywhere = { host: "0.0.0.0", port };
  files = await writeDeployment("postgres://127.0.0.1:1/none", {
    listen: everywhere,
    worker: everywhere,
  });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  asked.splice(0);
  await files.remove();
});

const health = (
  name: "api" | "worker" | "signer",
  options: { port?: number; isReady?: boolean } = {},
) => checkHealth(files.configFile, name, { port: null, isReady: false, ...options }, terminal);

describe("sluice health", () => {
  it.each(["api", "worker"] as const)("asks the %s whether it runs or is ready", async (name) => {
    await health(name);
    expect(terminal.lines()).toEqual([`${name}: ok`]);
    await expect(health(name, { isReady: true })).rejects.toThrow(
      `http://127.0.0.1:${port}/readyz answers 503`,
    );
    expect(asked).toEqual(["/healthz", "/readyz"]);
  });

  it("names the address of a process that does not answer", async () => {
    await expect(health("api", { port: 1 })).rejects.toThrow(
      "http://127.0.0.1:1/healthz does not answer",
    );
  });

  it("asks the signer for its keys", async () => {
    await expect(health("signer")).rejects.toThrow(/^signer: /);
    const signer = await runDeploymentSigner(files);
    await health("signer");
    expect(terminal.lines()).toEqual(["signer: ok"]);
    await signer.close();
    expect(asked).toEqual([]);
  });
});
