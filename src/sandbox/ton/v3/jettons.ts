import { Address, beginCell, type Cell, loadMessage, type Slice } from "@ton/core";
import type { Executed } from "../chain.ts";
import { tokens } from "../genesis.ts";
import type { Ledger } from "../ledger.ts";
import { readState } from "../machine.ts";
import { contractOf } from "../v2/account-methods.ts";
import { base64Hash, base64Of, printRaw } from "../v2/print.ts";
import { addressBook, printAddress } from "./print.ts";
import { addressesIn, integerIn, isInRange, pageOf, type Query, sorted } from "./query.ts";
import { directionIn } from "./transactions.ts";

/** What a jetton wallet says about itself, if its master names the same address. */
type JettonWallet = {
  readonly address: string;
  readonly balance: bigint;
  readonly owner: Address;
  readonly master: Address;
};

const transferOpcode = 0x0f8a7ea5;

/** `jetton/wallets`: the wallets that exist, as their own get methods describe them. */
export async function listWallets(ledger: Ledger, query: Query): Promise<object> {
  const addresses = addressesIn(query, "address");
  const owners = addressesIn(query, "owner_address");
  const masters = addressesIn(query, "jetton_address");
  const excludesEmpty = query.get("exclude_zero_balance") === "true";
  const asked = addresses.length > 0 ? addresses : [...ledger.accounts()];
  const found: JettonWallet[] = [];
  for (const address of asked) {
    const wallet = await walletAt(ledger, address);
    if (wallet === null) continue;
    if (owners.length > 0 && !owners.includes(wallet.owner.toRawString())) continue;
    if (masters.length > 0 && !masters.includes(wallet.master.toRawString())) continue;
    if (excludesEmpty && wallet.balance === 0n) continue;
    found.push(wallet);
  }
  const page = pageOf(query, found);
  return {
    jetton_wallets: page.map((wallet) => {
      const stored = ledger.stateAt(wallet.address, ledger.newest().id.seqno);
      const state = stored === null ? null : readState(stored);
      const { code, data } = contractOf(state);
      return {
        address: printRaw(wallet.address),
        balance: String(wallet.balance),
        owner: printAddress(wallet.owner),
        jetton: printAddress(wallet.master),
        last_transaction_lt: String(state?.lastTransactionLt ?? 0n),
        code_hash: code === null ? null : code.hash().toString("base64"),
        data_hash: data === null ? null : data.hash().toString("base64"),
      };
    }),
    address_book: addressBook(
      page.flatMap(({ address, master, owner }) => [
        printRaw(address),
        printAddress(owner),
        printAddress(master),
      ]),
    ),
    metadata: {},
  };
}

/** `jetton/masters`: the masters of the test tokens. */
export async function listMasters(ledger: Ledger, query: Query): Promise<object> {
  const asked = addressesIn(query, "address");
  const known = Object.values(tokens).map((token) => Address.parse(token));
  const page = pageOf(
    query,
    known.filter((master) => asked.length === 0 || asked.includes(master.toRawString())),
  );
  const masters = await Promise.all(
    page.map(async (address) => {
      const seqno = ledger.newest().id.seqno;
      const { stack } = await ledger.call(address, seqno, "get_jetton_data", []);
      const [supply, mintable, admin, , walletCode] = stack;
      const stored = ledger.stateAt(address.toRawString(), seqno);
      const state = stored === null ? null : readState(stored);
      const { code, data } = contractOf(state);
      return {
        address: printAddress(address),
        total_supply: supply?.type === "int" ? String(supply.value) : "0",
        mintable: mintable?.type === "int" && mintable.value !== 0n,
        admin_address:
          admin?.type === "slice" ? printAddress(admin.cell.beginParse().loadMaybeAddress()) : null,
        jetton_content: { decimals: "6", name: "Tether USD", symbol: "USD₮" },
        jetton_wallet_code_hash:
          walletCode?.type === "cell" ? walletCode.cell.hash().toString("base64") : null,
        code_hash: code === null ? null : code.hash().toString("base64"),
        data_hash: data === null ? null : data.hash().toString("base64"),
        last_transaction_lt: String(state?.lastTransactionLt ?? 0n),
      };
    }),
  );
  return {
    jetton_masters: masters,
    address_book: addressBook(page.map((address) => printAddress(address))),
    metadata: {},
  };
}

/** `jetton/transfers`: the transfers that senders ordered from their jetton wallets, also those that failed. */
export async function listTransfers(ledger: Ledger, query: Query): Promise<object> {
  const owners = addressesIn(query, "owner_address");
  const wallets = addressesIn(query, "jetton_wallet");
  const [master] = addressesIn(query, "jetton_master");
  const direction = directionIn(query);
  const within = isInRange(query);
  const found: { readonly printed: object; readonly addresses: readonly (string | null)[] }[] = [];
  const limit = Number(integerIn(query, "limit") ?? 10n) + Number(integerIn(query, "offset") ?? 0n);
  const inOrder = sorted(query, ledger.transactions().filter(within));
  for (const executed of inOrder) {
    if (found.length >= limit) break;
    const order = orderIn(executed);
    if (order === null) continue;
    const wallet = await walletAt(ledger, executed.account);
    if (wallet === null || (master !== undefined && wallet.master.toRawString() !== master))
      continue;
    const receiver = order.destination.toRawString();
    const sender = wallet.owner.toRawString();
    const parties = { in: [receiver], out: [sender] };
    const looked = direction === null ? [sender, receiver] : parties[direction];
    if (owners.length > 0 && !looked.some((one) => owners.includes(one))) continue;
    if (wallets.length > 0 && !wallets.includes(executed.account)) continue;
    found.push({
      printed: printTransfer(executed, order, wallet),
      addresses: [printRaw(sender), printRaw(receiver), printRaw(executed.account)],
    });
  }
  const page = pageOf(query, found);
  return {
    jetton_transfers: page.map(({ printed }) => printed),
    address_book: addressBook(page.flatMap(({ addresses }) => addresses)),
    metadata: {},
  };
}

type Order = {
  readonly queryId: bigint;
  readonly amount: bigint;
  readonly source: Address;
  readonly destination: Address;
  readonly responseDestination: Address | null;
  readonly customPayload: Cell | null;
  readonly forwardAmount: bigint;
  readonly forwardPayload: Cell | null;
};

/** The `transfer` message of TEP-74 that a transaction processed. */
function orderIn({ inMessage }: Executed): Order | null {
  if (inMessage === null) return null;
  const { body, info } = loadMessage(inMessage.beginParse());
  const slice = body.beginParse();
  if (info.type !== "internal" || slice.remainingBits < 32) return null;
  if (slice.loadUint(32) !== transferOpcode) return null;
  try {
    return {
      queryId: slice.loadUintBig(64),
      amount: slice.loadCoins(),
      source: info.src,
      destination: slice.loadAddress(),
      responseDestination: slice.loadMaybeAddress(),
      customPayload: slice.loadMaybeRef(),
      forwardAmount: slice.loadCoins(),
      forwardPayload: payloadIn(slice),
    };
  } catch {
    return null;
  }
}

function payloadIn(slice: Slice): Cell | null {
  if (slice.remainingBits === 0) return null;
  return slice.loadBit() ? slice.loadRef() : beginCell().storeSlice(slice).endCell();
}

function printTransfer(executed: Executed, order: Order, wallet: JettonWallet): object {
  const { account, hash, traceId, transaction } = executed;
  const { description } = transaction;
  return {
    query_id: String(order.queryId),
    source: printAddress(order.source),
    destination: printAddress(order.destination),
    amount: String(order.amount),
    source_wallet: printRaw(account),
    jetton_master: printAddress(wallet.master),
    transaction_hash: base64Hash(hash),
    transaction_lt: String(transaction.lt),
    transaction_now: transaction.now,
    transaction_aborted: description.type === "generic" && description.aborted,
    response_destination: printAddress(order.responseDestination),
    custom_payload: order.customPayload === null ? null : base64Of(order.customPayload),
    decoded_custom_payload: null,
    forward_ton_amount: String(order.forwardAmount),
    forward_payload: order.forwardPayload === null ? null : base64Of(order.forwardPayload),
    decoded_forward_payload: null,
    trace_id: base64Hash(traceId),
  };
}

/** A contract that answers `get_wallet_data`, and whose master names it as that owner's wallet: others are not listed. */
async function walletAt(ledger: Ledger, account: string): Promise<JettonWallet | null> {
  const seqno = ledger.newest().id.seqno;
  const { exitCode, stack } = await ledger.call(
    Address.parseRaw(account),
    seqno,
    "get_wallet_data",
    [],
  );
  const [balance, owner, master] = stack;
  if (exitCode !== 0 || balance?.type !== "int") return null;
  if (owner?.type !== "slice" || master?.type !== "slice") return null;
  const wallet = {
    address: account,
    balance: balance.value,
    owner: owner.cell.beginParse().loadAddress(),
    master: master.cell.beginParse().loadAddress(),
  };
  const asked = await ledger.call(wallet.master, seqno, "get_wallet_address", [
    { type: "slice", cell: beginCell().storeAddress(wallet.owner).endCell() },
  ]);
  const [own] = asked.stack;
  if (asked.exitCode !== 0 || own?.type !== "slice") return null;
  return own.cell.beginParse().loadAddress().toRawString() === account ? wallet : null;
}
