import { createHash } from "node:crypto";
import {
  type Address,
  beginCell,
  Cell,
  getMethodId,
  loadShardAccount,
  parseTuple,
  type ShardAccount,
  storeShardAccount,
  type TupleItem,
} from "@ton/core";
import type { Executor } from "@ton/sandbox";
import { mainPrices, networkConfig, type Prices, readConfig } from "./network.ts";

/** What the virtual machine made of a message. */
export type Ran =
  | { readonly kind: "executed"; readonly transaction: Cell; readonly state: string }
  | {
      /** An external message that the account does not pay for: nothing happened. */
      readonly kind: "refused";
      /** Null if no code ran, because the account cannot pay for the import. */
      readonly exit: { readonly code: number; readonly steps: number; readonly log: string } | null;
    };

export type Moment = { readonly now: number; readonly lt: bigint };

export type MethodResult = {
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly TupleItem[];
};

/** The transaction executor and the virtual machine of the TON node, compiled to WebAssembly by `@ton/sandbox`. */
export type Machine = {
  /** The configuration of the network as a bag of cells in base64. */
  readonly config: () => string;
  /** One of its parameters, by number. */
  readonly parameter: (id: number) => Cell | null;
  /** Changes the network's configuration, as a vote of the validators does. */
  readonly setPrices: (prices: Prices) => void;
  /** Delivers a message to an account in its state (a bag of cells with a `ShardAccount`, in base64). */
  readonly run: (
    message: Cell,
    state: string,
    at: Moment & { readonly ignoresSignatures?: boolean },
  ) => Promise<Ran>;
  /** Runs a get method, by name or number, of an account that has code. */
  readonly call: (
    account: { readonly address: Address; readonly state: ShardAccount },
    method: string | number,
    stack: readonly TupleItem[],
    now: number,
  ) => Promise<MethodResult>;
};

const methodGasMax = 1_000_000n;

/** Loads the machine; its program takes a third of a second. */
export async function createMachine(): Promise<Machine> {
  const { defaultConfig, Executor } = await import("@ton/sandbox");
  const executor = await Executor.create();
  let config = networkConfig(defaultConfig, mainPrices);
  // To read it takes long.
  let parameters = readConfig(config);
  return {
    config: () => config,
    parameter: (id) => parameters.get(id) ?? null,
    setPrices: (prices) => {
      config = networkConfig(defaultConfig, prices);
      parameters = readConfig(config);
    },
    run: async (message, state, { now, lt, ignoresSignatures = false }) => {
      const { logs, result } = await executor.runTransaction({
        config,
        libs: null,
        verbosity: "short",
        shardAccount: state,
        message,
        now,
        lt,
        randomSeed: seedOf(lt),
        ignoreChksig: ignoresSignatures,
        debugEnabled: false,
      });
      if (!result.success) return { kind: "refused", exit: exitOf(result, logs) };
      const transaction = Cell.fromBase64(result.transaction);
      return { kind: "executed", transaction, state: afterDeletion(result.shardAccount) };
    },
    call: async ({ address, state }, method, stack, now) =>
      await runMethod(executor, config, { address, state, method, stack, now }),
  };
}

type Refusal = Extract<
  Awaited<ReturnType<Executor["runTransaction"]>>["result"],
  { readonly success: false }
>;

/** The executor reports the steps in its log only. */
function exitOf(
  { error, vmResults }: Refusal,
  logs: string,
): Extract<Ran, { kind: "refused" }>["exit"] {
  if (vmResults === undefined) {
    if (!error.includes("before smart-contract execution"))
      throw new Error(`the executor failed: ${error}`);
    return null;
  }
  const steps = Number(/steps: (\d+)/.exec(logs)?.[1] ?? 0);
  return { code: vmResults.vmExitCode, steps, log: vmResults.vmLog };
}

async function runMethod(
  executor: Executor,
  config: string,
  call: {
    readonly address: Address;
    readonly state: ShardAccount;
    readonly method: string | number;
    readonly stack: readonly TupleItem[];
    readonly now: number;
  },
): Promise<MethodResult> {
  const storage = call.state.account?.storage;
  // A node answers this code for an account without one.
  if (storage?.state.type !== "active") return { exitCode: -13, gasUsed: 0, stack: [] };
  const { code, data } = storage.state.state;
  const { output } = await executor.runGetMethod({
    code: code ?? Cell.EMPTY,
    data: data ?? Cell.EMPTY,
    methodId: typeof call.method === "number" ? call.method : getMethodId(call.method),
    stack: [...call.stack],
    config,
    verbosity: "short",
    address: call.address,
    unixTime: call.now,
    balance: storage.balance.coins,
    randomSeed: seedOf(BigInt(call.now)),
    gasLimit: methodGasMax,
    debugEnabled: false,
  });
  if (!output.success) throw new Error(`the executor failed: ${output.error}`);
  return {
    exitCode: output.vm_exit_code,
    gasUsed: Number(output.gas_used),
    stack: parseTuple(Cell.fromBase64(output.stack)),
  };
}

function seedOf(lt: bigint): Buffer {
  return createHash("sha256").update(`seed ${lt}`).digest();
}

/** The state of an account as blocks contain it. */
export function readState(state: string): ShardAccount {
  return loadShardAccount(Cell.fromBase64(state).beginParse());
}

export function writeState(state: ShardAccount): string {
  return beginCell().store(storeShardAccount(state)).endCell().toBoc().toString("base64");
}

/** The network keeps nothing of an account that was deleted, not even its newest transaction; the executor does. */
function afterDeletion(state: string): string {
  return readState(state).account == null ? writeState(neverUsed) : state;
}

/** A state to which a message can be delivered, also if the account does not exist or was deleted. */
export function runnable(state: string | null, address: Address): string {
  const { account = null, ...last } = state === null ? neverUsed : readState(state);
  if (state !== null && account !== null) return state;
  return writeState({
    ...last,
    account: {
      addr: address,
      storage: {
        lastTransLt: last.lastTransactionLt,
        balance: { coins: 0n },
        state: { type: "uninit" },
      },
      storageStats: { used: { cells: 0n, bits: 0n }, storageExtra: null, lastPaid: 0 },
    },
  });
}

const neverUsed: ShardAccount = { lastTransactionLt: 0n, lastTransactionHash: 0n };
