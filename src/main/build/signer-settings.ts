import { chainAsset, isPayable } from "../../currencies/currency.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { findDaemon } from "../../sandbox/find-daemon.ts";
import type { SignedChain } from "../../signer/create-draft-signers.ts";
import type { KeyDerivationCost } from "../../signer/keys/keystore.ts";
import type { EtcdSettings } from "../../signer/pair/etcd-witness.ts";
import { certificatePaths } from "../../signer/remote/certificate-paths.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { familyOf, keyTrees } from "../families/families.ts";
import type { PayingSettings, SignerSettings } from "../processes/run-signer.ts";
import { ownSigner } from "./own-signer.ts";
import { remoteSigner } from "./signer-address.ts";

/** The network of the signer's keys, and where each chain's keys are in the seed. The same on every machine. */
export function signerKeys({
  chains,
}: Pick<Config, "chains">): Pick<SignerSettings, "network" | "keyTrees"> {
  const isMain = Object.values(chains).some(({ network }) => network === "mainnet");
  return { network: isMain ? "main" : "test", keyTrees: keyTrees() };
}

/**
 * The signer's part of the configuration. Throws where the configuration leaves the signer to another machine. With `createWithCost` null it refuses to start without a keystore. Without approval
 * keys it signs no payouts. On main networks it requires a limits file; on test networks, whose keys hold no money,
 * `limitsWhenAbsent` applies instead.
 */
export function signerSettings(
  config: Pick<Config, "signer" | "chains" | "tokens" | "currencies">,
  createWithCost: KeyDerivationCost | null,
  paying: Partial<Pick<PayingSettings, "approvalKeys" | "limitsWhenAbsent">> = {},
): SignerSettings {
  const { folder, passphraseFile } = ownSigner(config.signer);
  const { network, keyTrees } = signerKeys(config);
  return {
    folder,
    copyFolder: config.signer.copy_folder ?? null,
    network,
    keyTrees,
    passphrase: { kind: "file", path: passphraseFile },
    createWithCost,
    ...listenSettings(config.signer),
    ...pairSettings(config.signer),
    paying: {
      chains: Object.entries(config.chains).map(([chain, network]) =>
        familyOf(chain).signedChain(network, assetsOf(chain, config)),
      ),
      approvalKeys: paying.approvalKeys ?? [],
      limitsWhenAbsent: network === "main" ? null : (paying.limitsWhenAbsent ?? "none"),
      ...walletProgram(),
    },
  };
}

/** On PATH, or where the sandbox's programs are; without it, what it has to sign waits. */
function walletProgram(): Pick<PayingSettings, "walletProgram"> {
  const found = findDaemon("monero-wallet-rpc", {
    path: process.env["PATH"] ?? "",
    home: process.env["HOME"] ?? "/",
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  return found.kind === "found" ? { walletProgram: found.path } : {};
}

function listenSettings({ folder, listen }: Config["signer"]): Pick<SignerSettings, "listen"> {
  if (listen === undefined) return {};
  const { host, port, certificate_file, key_file, authority_file } = listen;
  const created = certificatePaths(folder);
  const files = {
    certificateFile: certificate_file ?? created.certificateFile,
    keyFile: key_file ?? created.keyFile,
    authorityFile: authority_file ?? created.authorityFile,
  };
  return { listen: { host, port, files, clientsFile: created.clientsFile } };
}

function pairSettings({ pair }: Config["signer"]): Pick<SignerSettings, "pair"> {
  if (pair === undefined) return {};
  const { name, peer, takeover_seconds } = pair;
  return {
    pair: {
      name,
      peer: { name: peer.name, ...remoteSigner(peer) },
      witness: witnessSettings(pair.witness),
      takeoverSeconds: takeover_seconds,
    },
  };
}

/** How to reach etcd. Its three files belong together, and so do user and password: see the configuration. */
export function witnessSettings({
  endpoints,
  record_key: key,
  certificate_file: certificateFile,
  key_file: keyFile,
  authority_file: authorityFile,
  user,
  password_file: passwordFile,
}: NonNullable<Config["signer"]["pair"]>["witness"]): EtcdSettings {
  const hasFiles =
    certificateFile !== undefined && keyFile !== undefined && authorityFile !== undefined;
  return {
    endpoints,
    key,
    ...(hasFiles ? { files: { certificateFile, keyFile, authorityFile } } : {}),
    ...(user !== undefined && passwordFile !== undefined ? { login: { user, passwordFile } } : {}),
  };
}

/** The chain's coin and its tokens with a contract here, by currency id. */
function assetsOf(
  chain: string,
  config: Pick<Config, "chains" | "tokens" | "currencies">,
): SignedChain["assets"] {
  const { currencies } = deploymentCurrencies(currencySettings(config));
  const onChain = currencies.filter((currency) => currency.chain === chain && isPayable(currency));
  return Object.fromEntries(onChain.map((currency) => [currency.id, chainAsset(currency)]));
}
