import {
  booleanAt,
  integerAt,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
  rpcCode,
  textAt,
} from "../utxo-ledger/rpc.ts";
import { type Ask, askOf, type Dialect, genesisNames, membersOf, taking } from "./dialect.ts";
import { withProof } from "./prove-work.ts";

/* Dogecoin Core 1.14.9 is a descendant of Bitcoin Core 0.14. */

const genesis = genesisNames("3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5");
const version = 1_140_900;
const subversion = "/Shibetoshi:1.14.9/";

/** Speaks Dogecoin Core's interface, as far as the service, its payers and its miners use it. */
export const dogecoind: Dialect = (node) => {
  const ask = askOf(node.command);
  const askWallet = askOf(node.faucet);
  return { methods: nodeMethods(ask, askWallet), walletMethods: walletMethodsOf(ask, askWallet) };
};

function nodeMethods(ask: Ask, askWallet: Ask): Methods {
  const pass = (method: string) => (params: Params) => ask(method, params);
  const byHash = (method: string) => async (params: Params) =>
    ask(method, [genesis.behind(textAt(params, 0)), ...params.slice(1)]);
  return {
    getbestblockhash: taking(0, 0, pass("getbestblockhash")),
    getblockcount: taking(0, 0, pass("getblockcount")),
    getblockhash: taking(1, 1, async (params) => genesis.own(await ask("getblockhash", params))),
    getblockheader: taking(1, 2, async (params) => {
      const isVerbose = strictBoolean(params, 1, true);
      const answer = await ask("getblockheader", [genesis.behind(textAt(params, 0)), isVerbose]);
      return isVerbose ? ownHashes(answer) : proven(answer);
    }),
    getblock: taking(1, 2, async (params) => {
      const verbosity = numberOrBoolean(params, 1, 1);
      const answer = await ask("getblock", [genesis.behind(textAt(params, 0)), verbosity]);
      if (verbosity <= 0) return proven(answer);
      const { tx = [], ...block } = ownHashes(answer);
      return { ...block, tx: (tx as readonly RpcJson[]).map(oldTransaction) };
    }),
    getrawtransaction: taking(1, 2, async (params) => {
      const isVerbose = numberOrBoolean(params, 1, 0) !== 0;
      const answer = await ask("getrawtransaction", [textAt(params, 0), isVerbose ? 1 : 0]);
      return isVerbose ? oldTransaction(answer) : answer;
    }),
    getrawmempool: taking(0, 1, (params) => ask("getrawmempool", [booleanAt(params, 0, false)])),
    getmempoolentry: taking(1, 1, pass("getmempoolentry")),
    getmempoolinfo: taking(0, 0, async () => {
      const { size, bytes, usage, maxmempool, mempoolminfee } = membersOf(
        await ask("getmempoolinfo"),
      ) as Record<string, RpcJson>;
      return { size, bytes, usage, maxmempool, mempoolminfee } as RpcJson;
    }),
    getnetworkinfo: taking(0, 0, async () => ({
      ...membersOf(await ask("getnetworkinfo")),
      version,
      subversion,
      warnings: "",
    })),
    getblockchaininfo: taking(0, 0, pass("getblockchaininfo")),
    gettxout: taking(2, 3, async (params) => {
      const answer = await ask("gettxout", [
        textAt(params, 0),
        integerAt(params, 1),
        strictBoolean(params, 2, true),
      ]);
      return answer === null ? null : withAddresses(membersOf(answer));
    }),
    estimatesmartfee: taking(1, 1, async (params) => {
      const answer = membersOf(await ask("estimatesmartfee", params));
      return { feerate: answer["feerate"] ?? -1, blocks: answer["blocks"] ?? 0 };
    }),
    sendrawtransaction: taking(1, 2, (params) => {
      strictBoolean(params, 1, false);
      return ask("sendrawtransaction", [textAt(params, 0), 0]);
    }),
    decoderawtransaction: taking(1, 1, async (params) =>
      oldTransaction(await ask("decoderawtransaction", params)),
    ),
    createrawtransaction: taking(2, 3, pass("createrawtransaction")),
    validateaddress: taking(1, 1, pass("validateaddress")),
    waitfornewblock: taking(0, 1, pass("waitfornewblock")),
    invalidateblock: taking(1, 1, byHash("invalidateblock")),
    reconsiderblock: taking(1, 1, byHash("reconsiderblock")),
    generatetoaddress: taking(2, 3, pass("generatetoaddress")),
    generate: taking(1, 2, async (params) =>
      ask("generatetoaddress", [integerAt(params, 0), await askWallet("getnewaddress")]),
    ),
  };
}

/** There is one wallet, and the first parameter of many methods is an account of it. */
function walletMethodsOf(ask: Ask, askWallet: Ask): Methods {
  const pass = (method: string) => (params: Params) => askWallet(method, params);
  return {
    getnewaddress: taking(0, 1, () => askWallet("getnewaddress")),
    getbalance: taking(0, 3, () => askWallet("getbalance")),
    getreceivedbyaddress: taking(1, 2, pass("getreceivedbyaddress")),
    listunspent: taking(0, 4, pass("listunspent")),
    gettransaction: taking(1, 2, pass("gettransaction")),
    sendtoaddress: taking(2, 5, pass("sendtoaddress")),
    sendmany: taking(2, 5, (params) => askWallet("sendmany", ["", ...params.slice(1)])),
    signrawtransaction: taking(1, 4, (params) =>
      params.length === 1
        ? askWallet("signrawtransactionwithwallet", params)
        : ask("signrawtransactionwithkey", [params[0], params[2] ?? [], params[1] ?? []]),
    ),
  };
}

/** A description of a block. Block 1 names its parent as the node behind does in its bytes. */
function ownHashes(answer: RpcJson): Record<string, RpcJson> {
  const block = membersOf(answer);
  return { ...block, hash: genesis.own(block["hash"] ?? null) };
}

function proven(hex: RpcJson): string {
  return withProof(Buffer.from(textAt([hex], 0), "hex")).toString("hex");
}

/** Outputs name a list of addresses. */
function oldTransaction(answer: RpcJson): RpcJson {
  // Below verbosity 2, a block lists ids.
  if (typeof answer === "string") return answer;
  const { vout, ...transaction } = membersOf(answer);
  if (!Array.isArray(vout)) return transaction;
  const outputs = (vout as readonly RpcJson[]).map((output) => withAddresses(membersOf(output)));
  return { ...transaction, vout: outputs };
}

function withAddresses(output: { readonly [name: string]: RpcJson }): RpcJson {
  const { address, ...script } = membersOf(output["scriptPubKey"] ?? null);
  const addresses = address === undefined ? {} : { reqSigs: 1, addresses: [address] };
  return { ...output, scriptPubKey: { ...script, ...addresses } };
}

/** Univalue's `get_bool`. */
function strictBoolean(params: Params, index: number, absent: boolean): boolean {
  const value = params[index];
  if (value === undefined) return absent;
  if (typeof value !== "boolean")
    throw new RpcFault(rpcCode.misc, "JSON value is not a boolean as expected");
  return value;
}

function numberOrBoolean(params: Params, index: number, absent: number): number {
  const value = params[index];
  if (typeof value === "number") return value;
  return Number(strictBoolean(params, index, absent !== 0));
}
