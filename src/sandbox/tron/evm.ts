import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createJsonRpc, type JsonRpc } from "../../chains/rpc/json-rpc.ts";
import { NodeError } from "../../chains/rpc/node-error.ts";
import type { World } from "../../platform/kernel/world.ts";
import { startSupervised } from "../../platform/processes/supervised-process.ts";
import { findAnvil } from "../anvil-binary.ts";
import { fromEvm, type HexAddress, toEvm } from "./address.ts";
import { type Changes, changesBetween, draftOf, emptyState, type State } from "./state.ts";

export type Call = {
  readonly from: HexAddress;
  readonly to: HexAddress;
  /** In sun. */
  readonly value: bigint;
  /** Hexadecimal. */
  readonly data: string;
  /** Instead of the code at `to`: the code of a constructor. */
  readonly code: string | null;
  /** Limit of the call's own gas. */
  readonly gas: bigint;
  readonly number: number;
  /** In milliseconds. */
  readonly timestamp: number;
};

/** One call of an execution; the first is the transaction's own. */
export type Frame = {
  readonly type: string;
  readonly from: `0x${string}`;
  readonly to?: `0x${string}`;
  readonly gasUsed: `0x${string}`;
  readonly value?: `0x${string}`;
  readonly output?: `0x${string}`;
  readonly error?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly {
    readonly address: `0x${string}`;
    readonly topics: readonly `0x${string}`[];
    readonly data: `0x${string}`;
    readonly index?: `0x${string}`;
  }[];
};

export type Execution = {
  readonly frame: Frame;
  /** Gas that the code used, without what Ethereum charges for a transaction, and before refunds. */
  readonly gas: bigint;
  readonly balances: readonly (readonly [HexAddress, bigint])[];
  readonly storage: Changes["storage"];
  /** Code of the contracts that the call made. */
  readonly code: readonly (readonly [HexAddress, string])[];
};

/** Executes calls against any state of the ledger. */
export type Evm = {
  /** Changes nothing. Rejects when the node has ended. */
  readonly execute: (state: State, call: Call) => Promise<Execution>;
  /** Resolves when the node has ended, for any reason. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const startPatienceMs = 60_000;
const stopPatienceMs = 5000;
const never = new AbortController().signal;

/**
 * Starts an anvil that keeps nothing: the ledger holds all accounts, code and storage, writes them into the node where they differ
 * from what it wrote before, and traces each call without mining it. So any fork of the ledger is only another state.
 */
export async function startEvm(folder: string, { clock, random, logger }: World): Promise<Evm> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const node = startSupervised(
    findAnvil(),
    [
      ...["--host", "127.0.0.1", "--port", "0", "--accounts", "0", "--no-mining"],
      // The virtual machine of TRON has Cancun's instructions; later rules charge more for data.
      ...["--hardfork", "cancun", "--gas-limit", "1000000000000", "--disable-code-size-limit"],
      ...["--cache-path", folder],
    ],
    { HOME: folder, RUST_LOG: "error" },
  );
  await writeFile(join(folder, "pid"), String(node.pid));
  const waiting = new AbortController();
  const port = await Promise.race([
    node.printed(/Listening on 127\.0\.0\.1:(\d+)/),
    clock.sleep(startPatienceMs, waiting.signal).then(() => null),
  ]).finally(() => {
    waiting.abort();
  });
  if (port === null) {
    await node.end(clock, stopPatienceMs);
    throw new Error("the TRON ledger's EVM does not start");
  }
  const rpc = createJsonRpc({
    nodes: [{ url: `http://127.0.0.1:${port}` }],
    chain: "anvil",
    clock,
    logger,
    random,
    timeoutMs: 60_000,
  });
  await rpc.callOnce("anvil_setLoggingEnabled", [false], never);
  let written: State = emptyState;
  let last: Promise<unknown> = Promise.resolve();
  const execute = async (state: State, call: Call): Promise<Execution> => {
    await write(rpc, written, state);
    written = state;
    return await trace(rpc, call, state);
  };
  return {
    execute: (changing, call) => {
      // The caller may go on with its draft; calls wait for each other, since each writes its state first.
      const state = draftOf(changing);
      const execution = last.then(() => execute(state, call));
      last = execution.catch(() => undefined);
      return execution;
    },
    ended: node.ended,
    stop: async () => {
      await node.end(clock, stopPatienceMs);
      await rpc.close();
    },
  };
}

async function write(rpc: JsonRpc, written: State, state: State): Promise<void> {
  const { accounts, contracts, storage } = changesBetween(written, state);
  const calls = [
    ...accounts
      .filter(([address, account]) => written.accounts.get(address)?.balance !== account?.balance)
      .map(([address, account]) => ({
        method: "anvil_setBalance",
        params: [toEvm(address), quantity(account?.balance ?? 0n)],
      })),
    ...contracts.map(([address, contract]) => ({
      method: "anvil_setCode",
      params: [toEvm(address), `0x${contract?.code ?? ""}`],
    })),
    ...storage.map(([address, slot, word]) => ({
      method: "anvil_setStorageAt",
      params: [toEvm(address), `0x${slot}`, `0x${word ?? "0".repeat(64)}`],
    })),
  ];
  if (calls.length === 0) return;
  for (const answer of await rpc.batch(calls, never))
    if ("error" in answer) throw new Error(`the EVM rejects the state: ${answer.error.message}`);
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

type AccountDiff = {
  readonly balance?: `0x${string}`;
  readonly code?: `0x${string}`;
  readonly storage?: Readonly<Record<`0x${string}`, `0x${string}`>>;
};
type Diff = Readonly<Record<"pre" | "post", Readonly<Record<`0x${string}`, AccountDiff>>>>;

async function trace(rpc: JsonRpc, call: Call, state: State): Promise<Execution> {
  const intrinsic = intrinsicGas(call.data);
  const request = {
    from: toEvm(call.from),
    to: toEvm(call.to),
    value: quantity(call.value),
    data: `0x${call.data}`,
    gas: quantity(intrinsic + call.gas),
    gasPrice: "0x0",
  };
  const options = {
    blockOverrides: {
      number: quantity(BigInt(call.number)),
      time: quantity(BigInt(Math.floor(call.timestamp / 1000))),
    },
    ...(call.code === null
      ? {}
      : { stateOverrides: { [toEvm(call.to)]: { code: `0x${call.code}` } } }),
  };
  const traced = <Result>(tracer: string, tracerConfig: object): Promise<Result> =>
    rpc.callOnce<Result>(
      "debug_traceCall",
      [request, "latest", { ...options, tracer, tracerConfig }],
      never,
    );
  const frame = await traced<Frame>("callTracer", { withLog: true });
  const diff = await traced<Diff>("prestateTracer", { diffMode: true });
  const storage = storageIn(diff);
  return {
    frame,
    gas: beforeRefund(BigInt(frame.gasUsed), storage) - intrinsic,
    balances: balancesIn(diff),
    storage,
    code: codeIn(diff, state).filter(([address]) => address !== call.to),
  };
}

/** What Ethereum charges for a call with this data (Cancun). TRON charges for bytes as bandwidth. */
function intrinsicGas(data: string): bigint {
  let gas = 21_000n;
  for (let place = 0; place < data.length; place += 2)
    gas += data.slice(place, place + 2) === "00" ? 4n : 16n;
  return gas;
}

/**
 * TRON refunds nothing for cleared storage, Ethereum up to a fifth (EIP-3529): the refunds for the slots that the call
 * cleared are added again.
 */
function beforeRefund(gasUsed: bigint, storage: Changes["storage"]): bigint {
  const refund = 4800n * BigInt(storage.filter(([, , word]) => word === null).length);
  const whole = gasUsed + refund;
  return refund * 5n <= whole ? whole : (gasUsed * 5n + 3n) / 4n;
}

function balancesIn({ post }: Diff): Execution["balances"] {
  return Object.entries(post).flatMap(([address, { balance }]) =>
    balance === undefined ? [] : [[fromEvm(address), BigInt(balance)] as const],
  );
}

function storageIn({ pre, post }: Diff): Changes["storage"] {
  const written = Object.entries(post).flatMap(([address, { storage = {} }]) =>
    Object.entries(storage).map(([slot, word]) => {
      const value = BigInt(word) === 0n ? null : word.slice(2);
      return [fromEvm(address), slot.slice(2), value] as const;
    }),
  );
  const cleared = Object.entries(pre).flatMap(([address, { storage = {} }]) =>
    Object.keys(storage)
      .filter(
        (slot) => post[address as `0x${string}`]?.storage?.[slot as `0x${string}`] === undefined,
      )
      .map((slot) => [fromEvm(address), slot.slice(2), null] as const),
  );
  return [...written, ...cleared];
}

function codeIn({ post }: Diff, state: State): Execution["code"] {
  return Object.entries(post).flatMap(([address, { code = "0x" }]) =>
    code === "0x" || state.contracts.has(fromEvm(address))
      ? []
      : [[fromEvm(address), code.slice(2)] as const],
  );
}

/** Whether the node refused the call because the sender's balance is below its value. */
export function lacksBalance(error: unknown): boolean {
  return error instanceof NodeError && /insufficient funds/i.test(error.message);
}
