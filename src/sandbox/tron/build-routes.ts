import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { nodeReturn, transactionExtension } from "./answers.ts";
import {
  type JsonRecord,
  NodeException,
  parseJsonText,
  printMessage,
  readHex,
  readMessage,
} from "./json.ts";
import {
  type ContractType,
  type ContractValue,
  contracts,
  type RawData,
  smartContract,
  triggerSmartContract,
} from "./messages.ts";
import { executeNative, type NativeContract } from "./native.ts";
import { sunPerTrx } from "./resources.ts";
import { type NodeRequest, type Route, type Routes, textIn } from "./routes.ts";
import type { Run } from "./run-code.ts";
import { constantEnergyMax } from "./smart.ts";
import { draftOf } from "./state.ts";
import { draftTransaction, printTransaction, Refusal, type Transaction } from "./transaction.ts";

/** Unsigned transactions, which the node builds and checks for a caller. */
export const buildRoutes: Routes = {
  createtransaction: build("TransferContract"),
  transferasset: build("TransferAssetContract"),
  createaccount: build("AccountCreateContract"),
  freezebalancev2: build("FreezeBalanceV2Contract"),
  unfreezebalancev2: build("UnfreezeBalanceV2Contract"),
  delegateresource: build("DelegateResourceContract"),
  undelegateresource: build("UnDelegateResourceContract"),
  deploycontract: (request) => {
    const { body, visible } = request;
    const value = readMessage(contracts.CreateSmartContract, body, visible);
    const entrys = parseJsonText(textIn(request, "abi") === "" ? "[]" : textIn(request, "abi"));
    const { abi } = readMessage(smartContract, { abi: { entrys } }, visible);
    const rest = readMessage(smartContract, { ...body, abi: null }, visible);
    const bytecode = readHex(textIn(request, "bytecode") + textIn(request, "parameter"));
    const new_contract = {
      ...rest,
      origin_address: value.owner_address ?? "",
      bytecode,
      ...(abi === undefined ? {} : { abi }),
    };
    return printDraft(request, draft(request, "CreateSmartContract", { ...value, new_contract }));
  },
  triggersmartcontract: (request) =>
    answerCall(request, () => {
      requireMembers(request, ["owner_address", "contract_address"]);
      const value = readCall(request);
      if (!request.ledger.state("head").contracts.has(value.contract_address ?? ""))
        throw new Refusal("CONTRACT_VALIDATE_ERROR", "No contract or not a valid smart contract");
      const transaction = draft(request, "TriggerSmartContract", value);
      return { extension: {}, transaction: printDraft(request, transaction) };
    }),
};

/** Calls that change nothing. */
export const callRoutes: Routes = {
  triggerconstantcontract: (request) =>
    answerCall(request, async () => {
      const { run, value } = await callOnce(request, constantEnergyMax);
      if (run.result !== "SUCCESS" && run.result !== "REVERT")
        throw new NodeException(
          "org.tron.core.vm.program.Program$OutOfEnergyException",
          run.message,
        );
      const transaction = draft(request, "TriggerSmartContract", value);
      const ret = [run.result === "SUCCESS" ? {} : { ret: "FAILED" }];
      return {
        extension: {
          energy_used: run.energy,
          energy_penalty: run.penalty,
          constant_result: [run.output],
          logs: run.logs,
          internal_transactions: run.internal,
        },
        message: run.message,
        transaction: { ret, ...printDraft(request, transaction) },
      };
    }),
  estimateenergy: (request) =>
    answerCall(request, async () => ({
      extension: {},
      more: { energy_required: await estimate(request) },
    })),
};

function build(type: Exclude<ContractType, "TriggerSmartContract" | "CreateSmartContract">): Route {
  return (request) => {
    const { ledger, body, visible } = request;
    const value = readMessage(contracts[type], body, visible) as ContractValue<typeof type>;
    const transaction = draft(request, type, value);
    const context = ledger.context("head");
    executeNative(draftOf(ledger.state("head")), transaction.contract as NativeContract, context);
    return printDraft(request, transaction);
  };
}

const lifetimeMs = 60_000n;

/** A transaction that refers to the solid block and expires a minute after the head. */
function draft<Type extends ContractType>(
  { ledger, body, visible }: NodeRequest,
  type: Type,
  value: ContractValue<Type>,
): Transaction {
  const { id, number } = ledger.solid();
  const head = BigInt(ledger.head().timestamp);
  const extra = body["extra_data"];
  const memo = typeof extra === "string" ? extra : "";
  const permissionId = body["Permission_id"];
  const feeLimit = body["fee_limit"];
  const rest: RawData = {
    ref_block_bytes: number.toString(16).padStart(16, "0").slice(-4),
    ref_block_hash: id.slice(16, 32),
    expiration: head + lifetimeMs,
    // Not the head's time: two equal payments in one block are two transactions.
    timestamp: BigInt(ledger.nowMs()),
    data: visible ? bytesToHex(utf8ToBytes(memo)) : readHex(memo),
    fee_limit: typeof feeLimit === "bigint" ? feeLimit : 0n,
  };
  return draftTransaction(type, value, typeof permissionId === "bigint" ? permissionId : 0n, rest);
}

function printDraft({ visible }: NodeRequest, transaction: Transaction): JsonRecord {
  return { visible, ...printTransaction(transaction, null, visible) };
}

function requireMembers(request: NodeRequest, names: readonly string[]): void {
  for (const name of names)
    if (textIn(request, name) === "")
      throw new NodeException("java.security.InvalidParameterException", `${name} isn't set.`);
}

function readCall(request: NodeRequest): ContractValue<"TriggerSmartContract"> {
  const value = readMessage(triggerSmartContract, request.body, request.visible);
  const selector = textIn(request, "function_selector");
  if (selector === "") return value;
  const method = bytesToHex(keccak_256(utf8ToBytes(selector)).subarray(0, 4));
  return { ...value, data: readHex(method + textIn(request, "parameter")) };
}

async function callOnce(
  request: NodeRequest,
  energyLimit: bigint,
): Promise<{ readonly run: Run; readonly value: ContractValue<"TriggerSmartContract"> }> {
  requireMembers(request, ["owner_address"]);
  if (textIn(request, "contract_address") === "" && textIn(request, "data") === "")
    throw new NodeException(
      "java.security.InvalidParameterException",
      "At least one of contract_address and data must be set.",
    );
  const value = readCall(request);
  const to = value.contract_address ?? "";
  const run = await request.ledger.call(request.view, {
    from: value.owner_address ?? "",
    to: to === "" ? null : to,
    value: value.call_value ?? 0n,
    data: value.data ?? "",
    energyLimit,
  });
  return { run, value };
}

/** The energy that a call needs, found as java-tron does: by halving the fee limit until it is known to one TRX. */
async function estimate(request: NodeRequest): Promise<bigint> {
  const { getMaxFeeLimit, getEnergyFee } = request.ledger.settings().parameters;
  const runWith = async (feeLimit: bigint): Promise<Run> => {
    const affordable = feeLimit / getEnergyFee;
    const limit = affordable < constantEnergyMax ? affordable : constantEnergyMax;
    return (await callOnce(request, limit)).run;
  };
  let high = getMaxFeeLimit;
  const first = await runWith(high);
  if (first.result !== "SUCCESS") throw new Refusal("CONTRACT_EXE_ERROR", first.message);
  let low = getEnergyFee * first.energy;
  if (low * 2n < high) {
    if ((await runWith(low * 2n)).result === "SUCCESS") high = low * 2n;
    else low *= 2n;
  }
  while (low + sunPerTrx < high) {
    const middle = (low + high) / 2n;
    if ((await runWith(middle)).result === "SUCCESS") high = middle;
    else low = middle;
  }
  return (high + getEnergyFee - 1n) / getEnergyFee;
}

type CallAnswer = {
  readonly extension: Parameters<typeof printMessage<typeof transactionExtension>>[1];
  /** The text of a call that was reverted. */
  readonly message?: string;
  readonly transaction?: JsonRecord;
  readonly more?: JsonRecord;
};

/** These calls answer refusals and exceptions inside `result`. */
async function answerCall(
  { visible }: NodeRequest,
  call: () => CallAnswer | Promise<CallAnswer>,
): Promise<JsonRecord> {
  const result = (code: Refusal["code"], reason: string): JsonRecord => ({
    result: printMessage(nodeReturn, { code, message: hexOf(reason) }, visible),
  });
  try {
    const { extension, message = "", transaction, more = {} } = await call();
    return {
      result: printMessage(nodeReturn, { result: true, message: hexOf(message) }, visible),
      ...printMessage(transactionExtension, extension, visible),
      ...more,
      ...(transaction === undefined ? {} : { transaction }),
    };
  } catch (error) {
    if (error instanceof Refusal) return result(error.code, error.message);
    if (error instanceof NodeException)
      return result("OTHER_ERROR", `class ${error.className} : ${error.message}`);
    throw error;
  }
}

function hexOf(text: string): string {
  return bytesToHex(utf8ToBytes(text));
}
