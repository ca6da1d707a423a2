import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { SimulatedNode } from "../../src/sandbox/utxo-ledger/node.ts";
import {
  startUtxoLedger,
  type UtxoLedger,
} from "../../src/sandbox/utxo-ledger/start-utxo-ledger.ts";

/** A JSON-RPC error as the node answers it. */
class LedgerRefusal extends Error {
  readonly code: number;
  readonly status: number;

  constructor(status: number, error: { readonly code: number; readonly message: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code;
  }
}

export type PrivateUtxoLedger = {
  readonly ledger: UtxoLedger;
  readonly folder: string;
  /** Rejects with `LedgerRefusal`. */
  readonly call: <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (
    path: string,
    body: object,
  ) => Promise<{ readonly height: number; readonly hash: string }>;
  readonly mine: (blocks?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A simulated node of that kind. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateLedger(
  kind: SimulatedNode,
  folder?: string,
): Promise<PrivateUtxoLedger> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-ledger-")));
  const ledger = await startUtxoLedger({
    kind,
    folder: home,
    port: 0,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const { username, password, origin } = new URL(ledger.rpcUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const call: PrivateUtxoLedger["call"] = async <Result>(
    method: string,
    ...params: readonly unknown[]
  ) => {
    const response = await fetch(`${origin}/wallet/${ledger.faucetWallet}`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify({ id: 1, method, params }),
    });
    const { error, result } = (await response.json()) as {
      readonly error: { readonly code: number; readonly message: string } | null;
      readonly result: Result;
    };
    if (error !== null) throw new LedgerRefusal(response.status, error);
    return result;
  };
  const control: PrivateUtxoLedger["control"] = async (path, body) => {
    const response = await fetch(ledger.sandboxUrl + path, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly height: number; readonly hash: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  return {
    ledger,
    folder: home,
    call,
    control,
    mine: async (blocks = 1) => {
      await control("/mine", { blocks });
    },
    stop: async () => {
      await ledger.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
