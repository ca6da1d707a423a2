import {
  booleanAt,
  type Method,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
  rpcCode,
  textAt,
} from "../utxo-ledger/rpc.ts";
import { type Ask, askOf, type Dialect, genesisNames, membersOf, taking } from "./dialect.ts";
import { type LockedBlock, type Locks, openLocks } from "./locks.ts";
import { type AddressVersions, spellAddresses } from "./spell-addresses.ts";

/* Dash Core 22.1.3, a descendant of Bitcoin Core 22. */

const genesis = genesisNames("000008ca1832a4baf228eb1553c03d3a2c8e02399550dd6ea8d65cec3ef23d2e");
const versions: AddressVersions = { publicKeyHash: 0x8c, scriptHash: 0x13 };
const version = 220_103;
const subversion = "/Dash Core:22.1.3/";
/** Of a BLS signature, which nobody makes here. */
const signatureBytes = 96;
/** `RPC_INTERNAL_ERROR`. */
const internalError = -32603;

/** Speaks Dash Core's interface, as far as the service, its payers and its miners use it. */
export const dashd: Dialect = async (node, { folder }) => {
  const ask = askOf(node.command);
  const askWallet = askOf(node.faucet);
  const locks = await openLocks(folder, node);
  const spelled = (methods: Methods): Methods =>
    spellAddresses(versions, "Invalid Dash address", methods);
  return {
    methods: spelled(nodeMethods(ask, locks)),
    walletMethods: spelled(walletMethodsOf(askWallet)),
    assertReplaceable: async (height) => {
      const locked = await locks.newest();
      if (locked !== null && height <= locked.height)
        throw new RpcFault(
          rpcCode.misc,
          `block ${height} cannot be replaced: block ${locked.height} is locked, and a ChainLock is never undone`,
        );
    },
    control: async (command, body) => {
      if (command !== "/lock") return false;
      const { every_block: every, txid } = body;
      if (typeof every === "boolean") await locks.lockEveryBlock(every);
      else if (typeof txid === "string") await lockTransaction(ask, locks, txid);
      else if (Object.keys(body).length === 0) await locks.lockTip();
      else
        throw new RpcFault(
          rpcCode.invalidParameter,
          "nothing locks the newest block, txid a pending transaction, every_block (a boolean) each new block",
        );
      return true;
    },
  };
};

/** As masternodes lock a transaction by InstantSend: only while it is pending. */
async function lockTransaction(ask: Ask, locks: Locks, txid: string): Promise<void> {
  await ask("getmempoolentry", [txid]);
  await locks.lockTransaction(txid);
}

function nodeMethods(ask: Ask, locks: Locks): Methods {
  const pass = (method: string) => (params: Params) => ask(method, params);
  const invalidate: Method = async (params) => {
    const hash = genesis.behind(textAt(params, 0));
    const { confirmations, height } = membersOf(await ask("getblockheader", [hash, true]));
    const locked = await locks.newest();
    if (Number(confirmations) > 0 && locked !== null && Number(height) <= locked.height)
      throw new RpcFault(rpcCode.misc, `block ${hash} is locked by a ChainLock`);
    return await ask("invalidateblock", [hash]);
  };
  const describe = (answer: RpcJson, newest: LockedBlock | null): RpcJson =>
    describeTransaction(membersOf(answer), locks, newest);
  return {
    getbestblockhash: taking(0, 0, pass("getbestblockhash")),
    getbestchainlock: taking(0, 0, async () => {
      const locked = await locks.newest();
      if (locked === null) throw new RpcFault(internalError, "Unable to find any ChainLock");
      const { hash: blockhash, height } = locked;
      return { blockhash, height, signature: "00".repeat(signatureBytes), known_block: true };
    }),
    getblockcount: taking(0, 0, pass("getblockcount")),
    getblockhash: taking(1, 1, async (params) => genesis.own(await ask("getblockhash", params))),
    getblockheader: taking(1, 2, async (params) => {
      const isVerbose = booleanAt(params, 1, true);
      const answer = await ask("getblockheader", [genesis.behind(textAt(params, 0)), isVerbose]);
      return isVerbose ? describeBlock(answer, await locks.newest()) : answer;
    }),
    getblock: taking(1, 2, async (params) => {
      const verbosity = Number(params[1] ?? 1);
      const answer = await ask("getblock", [genesis.behind(textAt(params, 0)), verbosity]);
      if (verbosity <= 0) return answer;
      const newest = await locks.newest();
      const { tx = [], height = -1, ...block } = describeBlock(answer, newest);
      const listed = (tx as readonly RpcJson[]).map((one) =>
        typeof one === "string" ? one : describe({ ...membersOf(one), height }, newest),
      );
      return { ...block, height, tx: listed };
    }),
    getrawtransaction: taking(1, 3, async (params) => {
      const isVerbose = Number(params[1] ?? 0) !== 0;
      const place = params
        .slice(2)
        .map((hash) => (typeof hash === "string" ? genesis.behind(hash) : hash));
      const answer = await ask("getrawtransaction", [textAt(params, 0), isVerbose, ...place]);
      if (!isVerbose) return answer;
      const newest = await locks.newest();
      const { blockhash, ...transaction } = membersOf(answer);
      if (blockhash === undefined) return describe({ ...transaction, height: -1 }, newest);
      const { height = -1, confirmations } = membersOf(await ask("getblockheader", [blockhash]));
      const isOnBestChain = Number(confirmations) > 0;
      return describe({ ...transaction, blockhash, height: isOnBestChain ? height : -1 }, newest);
    }),
    getrawmempool: taking(0, 2, pass("getrawmempool")),
    getmempoolentry: taking(1, 1, async (params) => ({
      ...membersOf(await ask("getmempoolentry", params)),
      instantlock: String(locks.isTransactionLocked(textAt(params, 0))),
    })),
    getmempoolinfo: taking(0, 0, async () => {
      const info = without(await ask("getmempoolinfo"), ["fullrbf"]);
      return { ...info, instantsendlocks: 0 };
    }),
    getnetworkinfo: taking(0, 0, async () => ({
      ...membersOf(await ask("getnetworkinfo")),
      version,
      subversion,
      buildversion: "v22.1.3",
      warnings: "",
    })),
    getblockchaininfo: taking(0, 0, pass("getblockchaininfo")),
    getindexinfo: taking(0, 1, pass("getindexinfo")),
    gettxout: taking(2, 3, async (params) => {
      const answer = await ask("gettxout", params);
      return answer === null ? null : withoutDescriptor(membersOf(answer));
    }),
    scantxoutset: taking(1, 2, pass("scantxoutset")),
    estimatesmartfee: taking(1, 2, pass("estimatesmartfee")),
    sendrawtransaction: taking(1, 4, (params) => ask("sendrawtransaction", params.slice(0, 2))),
    decoderawtransaction: taking(1, 1, async (params) =>
      withTypes(membersOf(await ask("decoderawtransaction", params))),
    ),
    createrawtransaction: taking(2, 3, pass("createrawtransaction")),
    signrawtransactionwithkey: taking(2, 4, pass("signrawtransactionwithkey")),
    validateaddress: taking(1, 1, pass("validateaddress")),
    waitfornewblock: taking(0, 1, pass("waitfornewblock")),
    invalidateblock: taking(1, 1, invalidate),
    reconsiderblock: taking(1, 1, (params) =>
      ask("reconsiderblock", [genesis.behind(textAt(params, 0))]),
    ),
    generatetoaddress: taking(2, 3, pass("generatetoaddress")),
    generateblock: taking(2, 2, pass("generateblock")),
  };
}

function walletMethodsOf(askWallet: Ask): Methods {
  const pass =
    (method: string, count = 9) =>
    (params: Params) =>
      askWallet(method, params.slice(0, count));
  return {
    getnewaddress: taking(0, 1, pass("getnewaddress")),
    getbalance: taking(0, 5, () => askWallet("getbalance")),
    getreceivedbyaddress: taking(1, 4, pass("getreceivedbyaddress", 2)),
    listunspent: taking(0, 5, pass("listunspent")),
    gettransaction: taking(1, 3, pass("gettransaction")),
    // Behind the fifth parameter, Dash Core's differ (InstantSend, CoinJoin).
    sendtoaddress: taking(2, 11, pass("sendtoaddress", 5)),
    sendmany: taking(2, 10, (params) => askWallet("sendmany", ["", params[1]])),
    signrawtransactionwithwallet: taking(1, 3, pass("signrawtransactionwithwallet")),
    getaddressinfo: taking(1, 1, pass("getaddressinfo")),
  };
}

/** The members of a block or header, without what belongs to witnesses. */
function describeBlock(answer: RpcJson, newest: LockedBlock | null): Record<string, RpcJson> {
  const block = without(answer, ["strippedsize", "weight"]);
  const isLocked = Number(block["confirmations"]) > 0 && isLockedAt(block["height"], newest);
  return { ...block, hash: genesis.own(block["hash"] ?? null), chainlock: isLocked };
}

function isLockedAt(height: RpcJson | undefined, newest: LockedBlock | null): boolean {
  return newest !== null && Number(height) >= 0 && Number(height) <= newest.height;
}

/** A transaction with its height (-1 outside the best chain) and what the masternodes say about it. */
function describeTransaction(
  answer: { readonly [name: string]: RpcJson },
  locks: Locks,
  newest: LockedBlock | null,
): RpcJson {
  const isLocked = locks.isTransactionLocked(textAt([answer["txid"]], 0));
  const isInLockedBlock = isLockedAt(answer["height"], newest);
  return {
    ...withTypes(answer),
    instantlock: isLocked || isInLockedBlock,
    instantlock_internal: isLocked,
    chainlock: isInLockedBlock,
  };
}

/** Version and type share four bytes (DIP-2). Without the ids and sizes of witnesses. */
function withTypes(answer: { readonly [name: string]: RpcJson }): Record<string, RpcJson> {
  const { vout, ...transaction } = without(answer, ["hash", "vsize", "weight"]);
  const stated = Number(transaction["version"]);
  const outputs = Array.isArray(vout)
    ? (vout as readonly RpcJson[]).map((output) => withoutDescriptor(membersOf(output)))
    : [];
  return { ...transaction, version: stated & 0xffff, type: stated >>> 16, vout: outputs };
}

/** A descriptor would contain the address as the node behind spells it. */
function withoutDescriptor(output: { readonly [name: string]: RpcJson }): RpcJson {
  return { ...output, scriptPubKey: without(output["scriptPubKey"] ?? null, ["desc"]) };
}

function without(answer: RpcJson, names: readonly string[]): Record<string, RpcJson> {
  return Object.fromEntries(
    Object.entries(membersOf(answer)).filter(([name]) => !names.includes(name)),
  );
}
