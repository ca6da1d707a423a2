import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { fromEvm, type HexAddress } from "./address.ts";
import { type Evm, type Execution, type Frame, lacksBalance } from "./evm.ts";
import type { ContractResult, InternalTransaction, Log } from "./messages.ts";
import type { Context } from "./resources.ts";
import { type Draft, newAccount, type State, writeStorage } from "./state.ts";
import { refuseContract } from "./transaction.ts";

/** What executed code did and used. */
export type Run = {
  readonly result: ContractResult;
  /** Returned bytes in hexadecimal. */
  readonly output: string;
  /** java-tron's text about a failure; empty without one. */
  readonly message: string;
  /** Energy with the penalty of the dynamic energy model. */
  readonly energy: bigint;
  readonly penalty: bigint;
  readonly logs: readonly Log[];
  readonly internal: readonly InternalTransaction[];
  readonly execution: Pick<Execution, "balances" | "storage" | "code">;
};

/** Factors are in ten-thousandths. */
const factorUnit = 10_000n;

/** Runs code in the EVM and reads the run as TRON's virtual machine reports it. Energy is the EVM's gas, times the factors. */
export async function runCode(
  evm: Evm,
  state: State,
  call: {
    readonly from: HexAddress;
    readonly to: HexAddress;
    readonly value: bigint;
    readonly data: string;
    readonly code: string | null;
    readonly energyLimit: bigint;
  },
  { settings, number, timestamp }: Context,
): Promise<Run> {
  const { to, energyLimit } = call;
  const factorOf = (address: HexAddress): bigint => settings.energyFactors[address] ?? 0n;
  const gas = (energyLimit * factorUnit) / (factorUnit + factorOf(to));
  const execution = await evm
    .execute(state, { ...call, gas, number, timestamp })
    .catch((error: unknown) => {
      if (!lacksBalance(error)) throw error;
      return refuseContract("Validate InternalTransfer error, balance is not sufficient.");
    });
  const { frame } = execution;
  const penalty = penaltyOf(frame, execution.gas, to, factorOf);
  const energy = execution.gas + penalty;
  const result = energy > energyLimit ? "OUT_OF_ENERGY" : resultOf(frame.error);
  const isFailed = result !== "SUCCESS";
  const output = frame.output?.slice(2) ?? "";
  const calls = internalCalls(frame, isFailed);
  const spendsAll = isFailed && result !== "REVERT";
  return {
    result,
    output: isFailed && result !== "REVERT" ? "" : output,
    message: messageOf(result, energyLimit),
    energy: spendsAll ? energyLimit : energy,
    penalty: spendsAll ? energyLimit - gas : penalty,
    logs: isFailed ? [] : logsIn(frame),
    internal: calls,
    execution,
  };
}

/** The result that java-tron has for an error of the EVM. */
function resultOf(error: string | undefined): ContractResult {
  if (error === undefined) return "SUCCESS";
  const results: readonly (readonly [RegExp, ContractResult])[] = [
    [/revert/i, "REVERT"],
    [/out ?of ?gas/i, "OUT_OF_ENERGY"],
    [/jump/i, "BAD_JUMP_DESTINATION"],
    [/opcode/i, "ILLEGAL_OPERATION"],
    [/underflow/i, "STACK_TOO_SMALL"],
    [/overflow/i, "STACK_TOO_LARGE"],
  ];
  return results.find(([pattern]) => pattern.test(error))?.[1] ?? "UNKNOWN";
}

function messageOf(result: ContractResult, energyLimit: bigint): string {
  if (result === "SUCCESS") return "";
  if (result === "REVERT") return "REVERT opcode executed";
  if (result === "OUT_OF_ENERGY")
    return `Not enough energy for 'UNKNOWN' operation executing: curInvokeEnergyLimit[${energyLimit}], curOpEnergy[0], usedEnergy[${energyLimit}]`;
  if (result === "ILLEGAL_OPERATION") return "Invalid operation code";
  return "Unknown Exception";
}

/** Each contract's own energy times its factor, also of contracts that others call. */
function penaltyOf(
  frame: Frame,
  gas: bigint,
  context: HexAddress,
  factorOf: (address: HexAddress) => bigint,
): bigint {
  const calls = frame.calls ?? [];
  const inner = calls.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n);
  const own = gas > inner ? gas - inner : 0n;
  return calls.reduce(
    (sum, call) => sum + penaltyOf(call, BigInt(call.gasUsed), contextOf(call), factorOf),
    (own * factorOf(context)) / factorUnit,
  );
}

/** Whose storage and balance a call uses. */
function contextOf({ type, from, to }: Frame): HexAddress {
  return fromEvm(type === "DELEGATECALL" || type === "CALLCODE" ? from : (to ?? from));
}

function logsIn(frame: Frame): readonly Log[] {
  return logFrames(frame)
    .toSorted((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0))
    .map(({ address, topics, data }) => ({
      // Logs have the twenty bytes of the virtual machine.
      address: address.slice(2),
      topics: topics.map((topic) => topic.slice(2)),
      data: data.slice(2),
    }));
}

function logFrames({
  logs = [],
  calls = [],
}: Frame): readonly NonNullable<Frame["logs"]>[number][] {
  const inner = calls.filter(({ error }) => error === undefined).flatMap(logFrames);
  return [...logs, ...inner];
}

/** All calls that code made, in their order; `rejected` for those that were undone. */
function internalCalls(root: Frame, isFailed: boolean): readonly InternalTransaction[] {
  const found: InternalTransaction[] = [];
  const visit = (frame: Frame, isUndone: boolean): void => {
    for (const call of frame.calls ?? []) {
      const rejected = isUndone || call.error !== undefined;
      found.push(printCall(call, rejected, found.length));
      visit(call, rejected);
    }
  };
  visit(root, isFailed);
  return found;
}

function printCall(call: Frame, rejected: boolean, place: number): InternalTransaction {
  const moves = call.type !== "DELEGATECALL" && call.type !== "STATICCALL";
  const value = moves ? BigInt(call.value ?? "0x0") : 0n;
  const parts = `${place}:${call.from}:${call.to ?? ""}:${value}`;
  return {
    hash: bytesToHex(keccak_256(utf8ToBytes(parts))),
    caller_address: fromEvm(call.from),
    transferTo_address: contextOf(call),
    callValueInfo: [{ callValue: value }],
    note: bytesToHex(utf8ToBytes(noteOf(call.type))),
    rejected,
  };
}

function noteOf(type: string): string {
  if (type.startsWith("CREATE")) return "create";
  return type === "SELFDESTRUCT" ? "suicide" : "call";
}

/** Writes what a successful run changed. */
export function settle(draft: Draft, { execution }: Run, now: bigint): void {
  for (const [address, balance] of execution.balances) {
    const account = draft.accounts.get(address) ?? newAccount("Normal", now);
    draft.accounts.set(address, { ...account, balance });
  }
  for (const [address, code] of execution.code) {
    const account = draft.accounts.get(address) ?? newAccount("Contract", now);
    draft.accounts.set(address, { ...account, type: "Contract" });
    draft.contracts.set(address, { definition: null, code });
  }
  writeStorage(draft, execution.storage);
}
