import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithProgram } from "./describe-with-program.ts";

export type Etcd = { readonly url: string; readonly close: () => Promise<void> };

/** Registers tests that need etcd; without it they count as skipped, under a name with the reason and the remedy. */
export function describeWithEtcd(name: string, body: (start: () => Promise<Etcd>) => void): void {
  describeWithProgram("etcd", name, (program) => {
    body(() => startEtcd(program));
  });
}

/** One etcd server with an empty folder. */
async function startEtcd(program: string): Promise<Etcd> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-etcd-"));
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${clientPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const child = spawn(
    program,
    [
      ...["--data-dir", folder, "--name", "only"],
      ...["--listen-client-urls", url, "--advertise-client-urls", url],
      ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
      ...["--initial-cluster", `only=${peerUrl}`],
    ],
    { stdio: "ignore" },
  );
  const close = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const isWell = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isWell) return { url, close };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await close();
  throw new Error("etcd does not answer");
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => {
      resolve();
    });
    child.kill("SIGKILL");
  });
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}
