import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../platform/processes/write-atomically.ts";

export type SandboxWallet = {
  readonly id: string;
  readonly type: number;
  readonly currency: string;
  readonly alpha: string;
  readonly label: string;
};

export type EvmSite = {
  readonly family: "evm";
  readonly rpc_url: string;
  readonly chain_id: number;
  readonly tokens: Readonly<Record<string, string>>;
};

export type UtxoSite = {
  readonly family: "utxo";
  /** Whether a ledger of this project replaces the node. */
  readonly simulated?: true;
  readonly rpc_url: string;
  /** The control endpoint of a simulated node. */
  readonly sandbox_url?: string;
  readonly faucet_wallet: string;
};

/** A ledger of this project behind java-tron's HTTP interface. */
export type TronSite = {
  readonly family: "tron";
  readonly simulated: true;
  readonly rpc_url: string;
  /** The ledger's control endpoint, outside the node's own protocol. */
  readonly sandbox_url: string;
  /** 64 hexadecimal digits. */
  readonly faucet_private_key: string;
  readonly tokens: Readonly<Record<string, string>>;
};

/** A ledger of this project behind rippled's JSON-RPC and WebSocket. */
export type XrplSite = {
  readonly family: "xrpl";
  readonly simulated: true;
  readonly rpc_url: string;
  readonly ws_url: string;
  /** The ledger's control endpoint, outside the node's own protocol. */
  readonly sandbox_url: string;
  /** Of the account that holds the test money: an Ed25519 seed, `sEd…`. */
  readonly faucet_seed: string;
  readonly network_id: number;
};

/** A ledger of this project behind stellar-rpc and Horizon. */
export type StellarSite = {
  readonly family: "stellar";
  readonly simulated: true;
  readonly rpc_url: string;
  readonly horizon_url: string;
  /** The ledger's control endpoint, outside the node's own protocol. */
  readonly sandbox_url: string;
  /** Of the account that holds the test money, `S…`. */
  readonly faucet_secret: string;
  readonly network_passphrase: string;
  /** `CODE:ISSUER` by alpha code. */
  readonly tokens: Readonly<Record<string, string>>;
};

/** A ledger of this project behind algod's REST interface. */
export type AlgorandSite = {
  readonly family: "algorand";
  readonly simulated: true;
  readonly rpc_url: string;
  /** What `X-Algo-API-Token` has to contain. */
  readonly rpc_token: string;
  /** The ledger's control endpoint, outside the node's own protocol. */
  readonly sandbox_url: string;
  /** 25 words of the account that holds the test money. */
  readonly faucet_mnemonic: string;
  /** In base64. */
  readonly genesis_hash: string;
  /** Ids of the test assets by alpha code. */
  readonly tokens: Readonly<Record<string, string>>;
};

/** A ledger of this project behind toncenter's API v2 and v3. */
export type TonSite = {
  readonly family: "ton";
  readonly simulated: true;
  /** API v2 as JSON-RPC. */
  readonly rpc_url: string;
  readonly v3_url: string;
  /** The ledger's control endpoint, outside toncenter's protocol. */
  readonly sandbox_url: string;
  /** Of the wallet v4R2 that holds the test money: 64 bytes in hexadecimal. */
  readonly faucet_secret_key: string;
  readonly global_id: number;
  /** The code of the test tokens' wallets, by the address of each jetton master. */
  readonly jetton_wallets: Readonly<
    Record<
      string,
      { readonly code_hash: string; readonly code_depth: number; readonly layout: "tep-74" }
    >
  >;
  /** Addresses of jetton masters by alpha code. */
  readonly tokens: Readonly<Record<string, string>>;
};

/** A ledger of this project behind Ogmios and Kupo. */
export type CardanoSite = {
  readonly family: "cardano";
  readonly simulated: true;
  /** Ogmios, over HTTP or WebSocket: the same address as `ogmios_url`. */
  readonly rpc_url: string;
  readonly ogmios_url: string;
  readonly kupo_url: string;
  /** The ledger's control endpoint, outside the protocols of both. */
  readonly sandbox_url: string;
  /** Of the address that holds the test money: an extended key, `ed25519e_sk1…`. */
  readonly faucet_private_key: string;
  readonly network_magic: number;
};

/** Monero's own daemon and wallet on a private chain. */
export type MoneroSite = {
  readonly family: "monero";
  /** monerod. */
  readonly rpc_url: string;
  /** The monero-wallet-rpc of the wallet that holds the test money. */
  readonly faucet_wallet_url: string;
  /** The monero-wallet-rpc in which the deployment keeps its view-only wallet. */
  readonly view_wallet_url: string;
};

/** How payers reach a sandbox chain. */
export type SandboxChain =
  | EvmSite
  | UtxoSite
  | TronSite
  | XrplSite
  | StellarSite
  | AlgorandSite
  | MoneroSite
  | TonSite
  | CardanoSite;

/** What a running sandbox publishes for other programs; written when it is ready, removed when it stops. */
export type SandboxFile = {
  readonly base_url: string;
  readonly login: string;
  readonly password: string;
  readonly webhook_secret: string;
  /** A person's login for the main account; `login` and `password` belong to a program. */
  readonly dashboard: { readonly login: string; readonly password: string };
  /** Returns the emails that the sandbox's mail server received, oldest first. */
  readonly mail_url: string;
  readonly users: readonly {
    readonly role: string;
    readonly login: string;
    readonly password: string;
  }[];
  readonly other_account: {
    readonly login: string;
    readonly password: string;
    readonly wallets: readonly Omit<SandboxWallet, "alpha" | "label">[];
  };
  readonly wallets: readonly SandboxWallet[];
  readonly chains: Readonly<Record<string, SandboxChain>>;
  readonly metrics_url: string;
};

/** The file in which a running sandbox publishes how to reach it. */
export function sandboxFilePath(home: string): string {
  return join(home, "sandbox.json");
}

/** The file in which a running cluster publishes the same, and its processes. */
export function clusterFilePath(home: string): string {
  return join(home, "cluster.json");
}

/** The file of the sandbox or the cluster that runs in `home`; null if neither does. */
export function runningFilePath(home: string): string | null {
  return [sandboxFilePath(home), clusterFilePath(home)].find(existsSync) ?? null;
}

/** The configuration of a running sandbox or cluster. */
export function sandboxConfigPath(home: string): string {
  return join(home, "config.json");
}

/** Access tokens that commands reuse. */
export function sandboxTokensPath(home: string): string {
  return join(home, "sandbox-tokens.json");
}

/** Written atomically with mode 0600. */
export function writeSandboxFile(home: string, content: SandboxFile): Promise<void> {
  return writeAtomically(sandboxFilePath(home), `${JSON.stringify(content, null, 2)}\n`);
}

/** Also removes the stored access tokens. */
export async function removeSandboxFile(home: string): Promise<void> {
  await rm(sandboxFilePath(home), { force: true });
  await rm(sandboxTokensPath(home), { force: true });
}

/** Of the sandbox or the cluster. Throws when neither is running in `home`. */
export async function readSandboxFile(home: string): Promise<SandboxFile> {
  const text = await readFile(runningFilePath(home) ?? sandboxFilePath(home), "utf8").catch(() => {
    throw new Error(`No sandbox is running in ${home}. Run npm start.`);
  });
  return JSON.parse(text) as SandboxFile;
}
