import {
  type Address,
  beginCell,
  Cell,
  type CommonMessageInfo,
  loadMessage,
  storeStateInit,
  type TransactionComputePhase,
  type TransactionDescription,
} from "@ton/core";
import type { Block, Executed } from "../chain.ts";
import type { Ledger } from "../ledger.ts";
import { readState } from "../machine.ts";
import { globalId, type Shard } from "../network.ts";
import { base64Hash, base64Of, printRaw } from "../v2/print.ts";
import { normalHash } from "../v2/send-methods.ts";

const zeroHash = Buffer.alloc(32).toString("base64");

export function printAddress(address: Address | null | undefined): string | null {
  return address == null ? null : printRaw(address.toRawString());
}

/** A shard as 16 hexadecimal digits in upper case. */
export function printShard({ shard }: Shard): string {
  return BigInt.asUintN(64, shard).toString(16).toUpperCase();
}

/** What a list says about the addresses in it. */
export function addressBook(addresses: Iterable<string | null>): object {
  const known = [...new Set(addresses)].filter((address) => address !== null);
  return Object.fromEntries(
    known.map((address) => [
      address,
      { user_friendly: friendly(address), domain: null, interfaces: null },
    ]),
  );
}

function friendly(raw: string): string {
  const [workchain = "0", hash = ""] = raw.split(":");
  const bytes = Buffer.concat([
    Buffer.from([0x11, Number(workchain) & 0xff]),
    Buffer.from(hash, "hex"),
  ]);
  return Buffer.concat([bytes, crc16(bytes)]).toString("base64url");
}

/** The checksum of friendly addresses (CRC-16/XMODEM). */
function crc16(bytes: Buffer): Buffer {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  return Buffer.from([crc >> 8, crc & 0xff]);
}

export function printBlock(block: Block): object {
  const { endLt, id, mcSeqno, now, prev, startLt, transactions } = block;
  return {
    workchain: id.workchain,
    shard: printShard(id),
    seqno: id.seqno,
    root_hash: id.rootHash.toString("base64"),
    file_hash: id.fileHash.toString("base64"),
    global_id: globalId,
    version: 0,
    after_merge: false,
    before_split: false,
    after_split: false,
    want_merge: false,
    want_split: false,
    key_block: false,
    vert_seqno_incr: false,
    flags: 0,
    gen_utime: String(now),
    start_lt: String(startLt),
    end_lt: String(endLt),
    validator_list_hash_short: 0,
    gen_catchain_seqno: 0,
    min_ref_mc_seqno: Math.max(0, mcSeqno - 1),
    prev_key_block_seqno: 0,
    vert_seqno: 0,
    master_ref_seqno: Math.max(0, mcSeqno - 1),
    rand_seed: zeroHash,
    created_by: zeroHash,
    tx_count: transactions.length,
    masterchain_block_ref: { workchain: -1, shard: "8000000000000000", seqno: mcSeqno },
    prev_blocks: [{ workchain: prev.workchain, shard: printShard(prev), seqno: prev.seqno }],
  };
}

/** A transaction with its messages. */
export function printTransaction(ledger: Ledger, executed: Executed): object {
  const { account, block, hash, inMessage, mcSeqno, outMessages, traceId, transaction } = executed;
  const { now, stateUpdate } = transaction;
  const first = ledger.trace(traceId)[0]?.inMessage ?? null;
  return {
    account: printRaw(account),
    hash: base64Hash(hash),
    lt: String(transaction.lt),
    now,
    mc_block_seqno: mcSeqno,
    trace_id: base64Hash(traceId),
    trace_external_hash: first === null ? null : normalHash(first),
    prev_trans_hash: base64Hash(transaction.prevTransactionHash.toString(16).padStart(64, "0")),
    prev_trans_lt: String(transaction.prevTransactionLt),
    orig_status: statusName(transaction.oldStatus),
    end_status: statusName(transaction.endStatus),
    total_fees: String(transaction.totalFees.coins),
    total_fees_extra_currencies: {},
    description: printDescription(transaction.description),
    block_ref: { workchain: block.workchain, shard: printShard(block), seqno: block.seqno },
    in_msg: inMessage === null ? null : printMessage(inMessage),
    out_msgs: outMessages.map((message) => printMessage(message)),
    account_state_before: stateUpdate.oldHash.equals(Buffer.alloc(32))
      ? null
      : { hash: stateUpdate.oldHash.toString("base64") },
    account_state_after: accountStateAfter(ledger, executed),
    emulated: false,
    finality: "finalized",
  };
}

/** Balance and content only if the state is known: that of the account's last transaction in a masterchain block. */
function accountStateAfter(ledger: Ledger, { account, mcSeqno, transaction }: Executed): object {
  const hash = transaction.stateUpdate.newHash.toString("base64");
  const state = ledger.stateAt(account, mcSeqno);
  const stored = state === null ? null : readState(state);
  if (stored?.lastTransactionLt !== transaction.lt || stored.account == null) return { hash };
  const { balance, state: content } = stored.account.storage;
  const isActive = content.type === "active";
  const hashOf = (cell: Cell | null | undefined): string | null =>
    cell == null ? null : cell.hash().toString("base64");
  return {
    hash,
    balance: String(balance.coins),
    extra_currencies: {},
    account_status: content.type,
    frozen_hash: null,
    data_hash: isActive ? hashOf(content.state.data) : null,
    code_hash: isActive ? hashOf(content.state.code) : null,
  };
}

function statusName(status: string): string {
  return { "non-existing": "nonexist", uninitialized: "uninit" }[status] ?? status;
}

/** A message; members that its kind does not have are null. */
export function printMessage(cell: Cell): Readonly<Record<string, unknown>> {
  const message = loadMessage(cell.beginParse());
  const { info } = message;
  const opcode = message.body.bits.length < 32 ? null : message.body.beginParse().loadUint(32);
  return {
    hash: cell.hash().toString("base64"),
    source: info.type === "external-in" ? null : printAddress(info.src),
    destination: info.type === "external-out" ? null : printAddress(info.dest),
    ...printInfo(info),
    extra_flags: null,
    opcode: opcode === null ? null : `0x${opcode.toString(16).padStart(8, "0")}`,
    decoded_opcode: null,
    message_content: {
      hash: message.body.hash().toString("base64"),
      body: base64Of(message.body),
      decoded: opcode === 0 ? decodedComment(message.body) : null,
    },
    init_state: message.init == null ? null : printInit(message.init),
    ...(info.type === "external-in" ? { hash_norm: normalHash(cell) } : {}),
  };
}

function printInfo(info: CommonMessageInfo): object {
  const isInternal = info.type === "internal";
  return {
    value: isInternal ? String(info.value.coins) : null,
    value_extra_currencies: isInternal ? {} : null,
    fwd_fee: isInternal ? String(info.forwardFee) : null,
    ihr_fee: isInternal ? String(info.ihrFee) : null,
    created_lt: info.type === "external-in" ? null : String(info.createdLt),
    created_at: info.type === "external-in" ? null : String(info.createdAt),
    ihr_disabled: isInternal ? info.ihrDisabled : null,
    bounce: isInternal ? info.bounce : null,
    bounced: isInternal ? info.bounced : null,
    import_fee: info.type === "external-in" ? String(info.importFee) : null,
  };
}

function printInit(init: NonNullable<ReturnType<typeof loadMessage>["init"]>): object {
  const cell = beginCell().store(storeStateInit(init)).endCell();
  return { hash: cell.hash().toString("base64"), body: base64Of(cell), decoded: null };
}

function decodedComment(body: Cell): object | null {
  try {
    const slice = body.beginParse().skip(32);
    return { type: "text_comment", comment: slice.loadStringTail() };
  } catch {
    return null;
  }
}

function printDescription(description: TransactionDescription): object {
  if (description.type !== "generic") return { type: description.type };
  const { actionPhase: action, bouncePhase: bounce, creditPhase: credit } = description;
  const { storagePhase: storage } = description;
  return {
    type: "ord",
    aborted: description.aborted,
    destroyed: description.destroyed,
    credit_first: description.creditFirst,
    ...(storage == null
      ? {}
      : {
          storage_ph: {
            storage_fees_collected: String(storage.storageFeesCollected),
            ...(storage.storageFeesDue == null
              ? {}
              : { storage_fees_due: String(storage.storageFeesDue) }),
            status_change: storage.statusChange,
          },
        }),
    ...(credit == null ? {} : { credit_ph: { credit: String(credit.credit.coins) } }),
    compute_ph: printCompute(description.computePhase),
    ...(action == null
      ? {}
      : {
          action: {
            success: action.success,
            valid: action.valid,
            no_funds: action.noFunds,
            status_change: action.statusChange,
            ...(action.totalFwdFees == null ? {} : { total_fwd_fees: String(action.totalFwdFees) }),
            ...(action.totalActionFees == null
              ? {}
              : { total_action_fees: String(action.totalActionFees) }),
            result_code: action.resultCode,
            ...(action.resultArg == null ? {} : { result_arg: action.resultArg }),
            tot_actions: action.totalActions,
            spec_actions: action.specActions,
            skipped_actions: action.skippedActions,
            msgs_created: action.messagesCreated,
            action_list_hash: base64Hash(action.actionListHash.toString(16).padStart(64, "0")),
            tot_msg_size: printSize(action.totalMessageSize),
          },
        }),
    ...(bounce == null
      ? {}
      : {
          bounce:
            bounce.type === "ok"
              ? {
                  type: "ok",
                  msg_size: printSize(bounce.messageSize),
                  msg_fees: String(bounce.messageFees),
                  fwd_fees: String(bounce.forwardFees),
                }
              : { type: bounce.type === "no-funds" ? "nofunds" : "negfunds" },
        }),
  };
}

function printSize({ bits, cells }: { readonly bits: bigint; readonly cells: bigint }): object {
  return { cells: String(cells), bits: String(bits) };
}

function printCompute(phase: TransactionComputePhase): object {
  if (phase.type === "skipped") return { skipped: true, reason: phase.reason.replaceAll("-", "_") };
  return {
    skipped: false,
    success: phase.success,
    msg_state_used: phase.messageStateUsed,
    account_activated: phase.accountActivated,
    gas_fees: String(phase.gasFees),
    gas_used: String(phase.gasUsed),
    gas_limit: String(phase.gasLimit),
    ...(phase.gasCredit == null ? {} : { gas_credit: String(phase.gasCredit) }),
    mode: phase.mode,
    exit_code: phase.exitCode,
    ...(phase.exitArg == null ? {} : { exit_arg: phase.exitArg }),
    vm_steps: phase.vmSteps,
    // Nodes write zeros here as well.
    vm_init_state_hash: zeroHash,
    vm_final_state_hash: zeroHash,
  };
}
