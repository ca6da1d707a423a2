import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { contractAddressOf, type HexAddress } from "./address.ts";
import type { Evm } from "./evm.ts";
import type { SmartContract } from "./messages.ts";
import { addBalance, type Context, energyLeft, useEnergy } from "./resources.ts";
import { type Run, runCode, settle } from "./run-code.ts";
import { type Draft, newAccount, type State } from "./state.ts";
import { type Contract, Refusal, refuseContract } from "./transaction.ts";

/* Contracts of the virtual machine: who pays for the energy, and how much there is. Checks are java-tron's (`VMActuator`, `ReceiptCapsule`). */

export type SmartCall = Extract<
  Contract,
  { readonly type: "TriggerSmartContract" | "CreateSmartContract" }
>;

/** The outcome of a call. Energy without a unit, `fee` in sun. */
export type SmartOutcome = Run & {
  readonly contractAddress: HexAddress;
  readonly usage: bigint;
  readonly originUsage: bigint;
  readonly fee: bigint;
};

/** Who pays the energy of a call to whom; `percent` is the caller's share. */
type Payers = {
  readonly caller: HexAddress;
  readonly origin: HexAddress;
  readonly percent: bigint;
  readonly originEnergyMax: bigint;
};

const hundred = 100n;
const contractNameMax = 32;
/** Energy per byte of a new contract's code. */
const energyPerCodeByte = 200n;

/**
 * Executes a call or a deployment of a transaction and charges its energy. A failed call changes nothing else. Rejects with
 * `Refusal` for what java-tron would not put into a block.
 */
export async function executeSmart(
  draft: Draft,
  { contract, txid, feeLimit }: { contract: SmartCall; txid: string; feeLimit: bigint },
  evm: Evm,
  context: Context,
): Promise<SmartOutcome> {
  const plan =
    contract.type === "CreateSmartContract"
      ? planDeployment(draft, contract.value, txid)
      : planCall(draft, contract.value);
  const feeLimitMax = context.settings.parameters.getMaxFeeLimit;
  if (feeLimit < 0n || feeLimit > feeLimitMax)
    refuseContract(`feeLimit must be >= 0 and <= ${feeLimitMax}`);
  const { payers, value } = plan;
  const limits = energyLimits(draft, payers, value, feeLimit, context);
  requireBalance(draft, payers.caller, value);
  const run = await runCode(evm, draft, { ...plan, energyLimit: limits.total }, context);
  const outcome = plan.definition === null ? run : withCodeCost(run, limits.total);
  if (outcome.result === "SUCCESS") {
    const now = BigInt(context.headTimestamp);
    settle(draft, outcome, now);
    if (plan.definition !== null) saveContract(draft, plan.to, plan.definition, outcome, now);
  }
  const bill = payEnergy(draft, payers, outcome.energy, context);
  return { ...outcome, ...bill, contractAddress: plan.to };
}

type Plan = {
  readonly from: HexAddress;
  readonly to: HexAddress;
  readonly value: bigint;
  readonly data: string;
  readonly code: string | null;
  readonly payers: Payers;
  /** Of a contract that is deployed. */
  readonly definition: SmartContract | null;
};

function planCall(
  state: State,
  value: Extract<SmartCall, { type: "TriggerSmartContract" }>["value"],
): Plan {
  const { owner_address: caller = "", contract_address: to = "", data = "" } = value;
  const stored = state.contracts.get(to) ?? refuseContract("No contract or not a smart contract");
  const callValue = value.call_value ?? 0n;
  if (callValue < 0n) refuseContract("callValue must be >= 0");
  if ((value.call_token_value ?? 0n) < 0n) refuseContract("tokenValue must be >= 0");
  const payers = {
    caller,
    origin: stored.definition?.origin_address ?? caller,
    percent:
      stored.definition === null
        ? hundred
        : (stored.definition.consume_user_resource_percent ?? 0n),
    originEnergyMax: stored.definition?.origin_energy_limit ?? 0n,
  };
  return { from: caller, to, value: callValue, data, code: null, payers, definition: null };
}

function planDeployment(
  state: State,
  value: Extract<SmartCall, { type: "CreateSmartContract" }>["value"],
  txid: string,
): Plan {
  const { owner_address: owner = "", new_contract: created = {} } = value;
  if (owner !== created.origin_address) refuseContract("OwnerAddress is not equals OriginAddress");
  if (utf8ToBytes(created.name ?? "").length > contractNameMax)
    refuseContract("contractName's length cannot be greater than 32");
  const percent = created.consume_user_resource_percent ?? 0n;
  if (percent < 0n || percent > hundred) refuseContract("percent must be >= 0 and <= 100");
  const to = contractAddressOf(txid, owner);
  if (state.accounts.has(to))
    refuseContract("Trying to create a contract with existing contract address");
  const callValue = created.call_value ?? 0n;
  if (callValue < 0n) refuseContract("callValue must be >= 0");
  if ((created.origin_energy_limit ?? 0n) <= 0n)
    refuseContract("The originEnergyLimit must be > 0");
  const definition = { ...created, contract_address: to };
  const payers = { caller: owner, origin: owner, percent: hundred, originEnergyMax: 0n };
  const code = created.bytecode ?? "";
  return { from: owner, to, value: callValue, data: "", code, payers, definition };
}

function requireBalance(state: State, owner: HexAddress, value: bigint): void {
  if (value > (state.accounts.get(owner)?.balance ?? 0n))
    refuseContract("Validate InternalTransfer error, balance is not sufficient.");
}

/** How much energy a call may use: the caller's stake and balance up to the fee limit, and the contract owner's share. */
function energyLimits(
  state: State,
  { caller, origin, percent, originEnergyMax }: Payers,
  value: bigint,
  feeLimit: bigint,
  context: Context,
): { readonly total: bigint } {
  const price = context.settings.parameters.getEnergyFee;
  const account = state.accounts.get(caller) ?? refuseContract("account does not exist");
  const affordable =
    energyLeft(account, state, context) + maxBigInt(account.balance - value, 0n) / price;
  const own = minBigInt(affordable, feeLimit / price);
  const owner = state.accounts.get(origin);
  if (owner === undefined || origin === caller || percent >= hundred) return { total: own };
  const offered = minBigInt(energyLeft(owner, state, context), originEnergyMax);
  const shared =
    percent === 0n ? offered : minBigInt((own * (hundred - percent)) / percent, offered);
  return { total: own + shared };
}

/** Storing a new contract's code costs energy too. */
function withCodeCost(run: Run, energyLimit: bigint): Run {
  if (run.result !== "SUCCESS") return run;
  const energy = run.energy + (BigInt(run.output.length) / 2n) * energyPerCodeByte;
  if (energy <= energyLimit) return { ...run, energy };
  const message = "Not enough energy for 'save just created contract code' operation executing";
  return { ...run, result: "OUT_OF_ENERGY", message, energy: energyLimit, logs: [], output: "" };
}

function saveContract(
  draft: Draft,
  address: HexAddress,
  definition: SmartContract,
  { output }: Run,
  now: bigint,
): void {
  const code_hash = bytesToHex(keccak_256(hexToBytes(output)));
  draft.contracts.set(address, { definition: { ...definition, code_hash }, code: output });
  const account = draft.accounts.get(address) ?? newAccount("Contract", now);
  draft.accounts.set(address, { ...account, type: "Contract" });
}

type EnergyBill = Pick<SmartOutcome, "usage" | "originUsage" | "fee">;

function payEnergy(draft: Draft, payers: Payers, energy: bigint, context: Context): EnergyBill {
  const { caller, origin, percent, originEnergyMax } = payers;
  if (energy <= 0n) return { usage: 0n, originUsage: 0n, fee: 0n };
  const owner = origin === caller ? undefined : draft.accounts.get(origin);
  const originUsage =
    owner === undefined
      ? 0n
      : minBigInt(
          (energy * (hundred - percent)) / hundred,
          minBigInt(energyLeft(owner, draft, context), originEnergyMax),
        );
  if (originUsage > 0n) useEnergy(draft, origin, originUsage, context);
  const rest = energy - originUsage;
  const account = present(draft.accounts.get(caller), "the caller");
  const usage = minBigInt(rest, energyLeft(account, draft, context));
  const fee = (rest - usage) * context.settings.parameters.getEnergyFee;
  if (account.balance < fee)
    throw new Refusal("CONTRACT_EXE_ERROR", `${caller} insufficient balance`);
  useEnergy(draft, caller, usage, context);
  addBalance(draft, caller, -fee);
  return { usage, originUsage, fee };
}

/** The energy that a node spends on a call that only reads. */
export const constantEnergyMax = 100_000_000n;

/** A call that changes nothing, for `triggerconstantcontract`. Rejects with `Refusal`. */
export async function callConstant(
  state: State,
  call: {
    readonly from: HexAddress;
    /** Null: the data are the code of a contract to deploy. */
    readonly to: HexAddress | null;
    readonly value: bigint;
    readonly data: string;
    readonly energyLimit: bigint;
  },
  evm: Evm,
  context: Context,
): Promise<Run> {
  const { from, to, value, data, energyLimit } = call;
  if (to !== null && !state.contracts.has(to)) refuseContract("Smart contract is not exist.");
  requireBalance(state, from, value);
  const target = to ?? contractAddressOf("00".repeat(32), from);
  const run = await runCode(
    evm,
    state,
    {
      from,
      to: target,
      value,
      energyLimit,
      ...(to === null ? { data: "", code: data } : { data, code: null }),
    },
    context,
  );
  return to === null ? withCodeCost(run, energyLimit) : run;
}
