import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Abi, Hex } from "viem";
import { encodeDeployData } from "viem/utils";
import artifacts from "../contracts/artifacts.gen.json" with { type: "json" };
import { addressOfKey, contractAddressOf, type HexAddress, toBase58 } from "./address.ts";
import { witnessAddresses } from "./block.ts";
import type { Evm } from "./evm.ts";
import { isRecord, type Json, readMessage } from "./json.ts";
import { type SmartContract, smartContract } from "./messages.ts";
import { initialSettings } from "./parameters.ts";
import { executeSmart } from "./smart.ts";
import { type Changes, changesBetween, draftOf, emptyState, newAccount } from "./state.ts";

/** The key of the account that holds all TRX and all test tokens. It exists only on simulated ledgers. */
const faucetKey = sha256(utf8ToBytes("faucet of a simulated TRON ledger"));
export const faucetPrivateKey = bytesToHex(faucetKey);
const faucetAddress: HexAddress = addressOfKey(secp256k1.getPublicKey(faucetKey, false));

/** Half a billion TRX, in sun. */
const faucetSun = 500_000_000_000_000n;
/** One billion with six decimals. */
const supplyUnits = 10n ** 15n;
/** What others have staked, about as on the main network, in TRX. */
const stakedByOthers = { BANDWIDTH: 27_000_000_000n, ENERGY: 19_000_000_000n };
/** A TRC-10 token: something that a payer can mistake for a stablecoin. */
const assetId = "1000001";

const tokens = [{ alpha: "USDT-TRX", contract: "TronTetherLike" }] as const;

function deploymentOf(alpha: string): string {
  return bytesToHex(sha256(utf8ToBytes(`deployment of ${alpha}`)));
}

/** The test tokens' contracts in base58, the same on every ledger. */
export const tokenAddresses: Readonly<Record<string, string>> = Object.fromEntries(
  tokens.map(({ alpha }) => [
    alpha,
    toBase58(contractAddressOf(deploymentOf(alpha), faucetAddress)),
  ]),
);

/** What block 0 contains: the faucet, the witnesses, and the test tokens, deployed by the faucet. */
export async function makeGenesis(timestamp: number, evm: Evm): Promise<Changes> {
  const draft = draftOf(emptyState);
  draft.weights = stakedByOthers;
  for (const address of witnessAddresses)
    draft.accounts.set(address, newAccount("Normal", BigInt(timestamp)));
  draft.accounts.set(faucetAddress, {
    ...newAccount("Normal", BigInt(timestamp)),
    balance: faucetSun,
    assets: { [assetId]: supplyUnits },
  });
  const feeLimit = initialSettings.parameters.getMaxFeeLimit;
  for (const { alpha, contract } of tokens)
    await executeSmart(
      draft,
      {
        contract: {
          type: "CreateSmartContract",
          owner: faucetAddress,
          permissionId: 0n,
          value: { owner_address: faucetAddress, new_contract: definitionOf(contract) },
        },
        txid: deploymentOf(alpha),
        feeLimit,
      },
      evm,
      { settings: initialSettings, number: 0, timestamp, headTimestamp: timestamp },
    );
  return changesBetween(emptyState, draft);
}

function definitionOf(name: keyof typeof artifacts): SmartContract {
  const { abi, bytecode } = artifacts[name];
  const args = [supplyUnits];
  const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args });
  const entrys = (abi as unknown as readonly Json[]).filter((entry) => isRecord(entry));
  return {
    ...readMessage(smartContract, { abi: { entrys } }, false),
    origin_address: faucetAddress,
    bytecode: data.slice(2),
    name,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 10_000_000n,
  };
}
