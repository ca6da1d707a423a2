import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { startSupervised } from "../../../src/platform/processes/supervised-process.ts";
import { findDaemon } from "../../../src/sandbox/find-daemon.ts";
import { walletArgumentsOf } from "../../../src/sandbox/monero-node.ts";
import type { MoneroSite } from "../../../src/sandbox/sandbox-file.ts";
import { eventually } from "../../support/eventually.ts";
import { queryMonero } from "../../support/query-monero.ts";
import { quietPort } from "./quiet-port.ts";

/** Asks the wallet program one thing. */
export type AskMoneroWallet = <Result>(method: string, params?: JsonObject) => Promise<Result>;

/** Starts a monero-wallet-rpc of its own on the site's chain, in an empty folder, and removes both afterwards. */
export async function withMoneroWallet<Result>(
  { rpc_url }: MoneroSite,
  work: (ask: AskMoneroWallet) => Promise<Result>,
): Promise<Result> {
  const found = findDaemon("monero-wallet-rpc", {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind !== "found") throw new Error(found.reason);
  const folder = await mkdtemp(join(tmpdir(), "sluice-monero-wallet-"));
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const program = startSupervised(
    found.path,
    [
      `--daemon-address=${new URL(rpc_url).host}`,
      `--rpc-bind-port=${port}`,
      `--wallet-dir=${folder}`,
      `--shared-ringdb-dir=${join(folder, "rings")}`,
      `--log-file=${join(folder, "wallet.log")}`,
      ...(await walletArgumentsOf(found.path)),
    ],
    { HOME: folder },
  );
  try {
    await eventually(
      () =>
        queryMonero(url, "get_version").then(
          () => true,
          () => false,
        ),
      (isUp) => isUp,
      60,
    );
    return await work((method, params = {}) => queryMonero(url, method, params));
  } finally {
    await program.end(systemClock, 20_000);
    await rm(folder, { recursive: true, force: true });
  }
}
