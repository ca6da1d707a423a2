import { type Block, protocolVersion } from "./block.ts";
import type { Item } from "./cbor.ts";
import { hash256, hex } from "./hash.ts";
import type { Printable, PrintableObject } from "./print-json.ts";
import {
  printAssets,
  printLovelace,
  printOutput,
  printReference,
  printValidity,
} from "./print-values.ts";
import { printScript, scriptHash } from "./script.ts";
import type { Transaction } from "./transaction.ts";

/** A block as Ogmios prints it. */
export function printBlock(block: Block): PrintableObject {
  const { ancestor, height, id, issuer, size, slot, transactions } = block;
  return {
    type: "praos",
    era: "conway",
    id,
    size: { bytes: size },
    height,
    slot,
    ancestor: ancestor === null ? "genesis" : ancestor.id,
    issuer: {
      verificationKey: issuer.verificationKey,
      vrfVerificationKey: issuer.vrfVerificationKey,
      operationalCertificate: {
        count: 0,
        sigma: issuer.sigma,
        kes: { period: issuer.kesPeriod, verificationKey: issuer.kesVerificationKey },
      },
      leaderValue: { output: issuer.vrfOutput, proof: issuer.vrfProof },
    },
    protocol: { version: protocolVersion },
    transactions: transactions.map(printTransaction),
  };
}

/** A transaction as Ogmios prints it, with its CBOR (`--include-transaction-cbor`). Empty members are left out. */
export function printTransaction(transaction: Transaction): PrintableObject {
  const { collateralReturn, inputs, isValid, outputs, totalCollateral } = transaction;
  return {
    id: transaction.id,
    spends: isValid ? "inputs" : "collaterals",
    inputs: inputs.map(printReference),
    references: unlessEmpty(transaction.references.map(printReference)),
    outputs: outputs.map(printOutput),
    collaterals: unlessEmpty(transaction.collaterals.map(printReference)),
    ...(collateralReturn === null ? {} : { collateralReturn: printOutput(collateralReturn) }),
    ...(totalCollateral === null ? {} : { totalCollateral: printLovelace(totalCollateral) }),
    ...(transaction.mint.size === 0 ? {} : { mint: printAssets(transaction.mint) }),
    requiredExtraSignatories: unlessEmpty(transaction.requiredSigners),
    requiredExtraScripts: unlessEmpty(
      transaction.auxiliaryScripts.map((script) => hex(scriptHash(script))),
    ),
    ...(transaction.networkId === null
      ? {}
      : { network: transaction.networkId === 1 ? "mainnet" : "testnet" }),
    ...(transaction.scriptIntegrityHash === null
      ? {}
      : { scriptIntegrityHash: transaction.scriptIntegrityHash }),
    fee: printLovelace(transaction.fee),
    validityInterval: printValidity(transaction.invalidBefore, transaction.invalidAfter),
    ...printMetadata(transaction),
    ...printWitnesses(transaction),
    cbor: hex(transaction.raw),
  };
}

function printWitnesses({
  auxiliaryScripts,
  datums,
  redeemers,
  scripts,
  signatories,
}: Transaction): PrintableObject {
  const allScripts = [...scripts, ...auxiliaryScripts];
  return {
    signatories: signatories.map((signatory) => ({ ...signatory })),
    ...(allScripts.length === 0
      ? {}
      : {
          scripts: Object.fromEntries(
            allScripts.map((script) => [hex(scriptHash(script)), printScript(script)]),
          ),
        }),
    ...(datums.length === 0
      ? {}
      : { datums: Object.fromEntries(datums.map((datum) => [hex(hash256(datum)), hex(datum)])) }),
    redeemers: unlessEmpty(
      redeemers.map(({ cpu, data, index, memory, purpose }) => ({
        validator: { index, purpose },
        redeemer: data,
        executionUnits: { memory, cpu },
      })),
    ),
  };
}

function printMetadata({ metadata, metadataHash }: Transaction): PrintableObject {
  if (metadataHash === null || metadata.length === 0) return {};
  const labels = metadata.map(([label, metadatum]) => {
    const json = simpleJson(metadatum);
    return [String(label), json === null ? { cbor: hex(metadatum.raw) } : { json }] as const;
  });
  return { metadata: { hash: metadataHash, labels: Object.fromEntries(labels) } };
}

/** Metadata in JSON without a schema; null if it has bytes, or keys that JSON cannot have. */
function simpleJson(item: Item): Printable {
  if (item.kind === "int" || item.kind === "text") return item.value;
  if (item.kind === "list") {
    const items = item.items.map(simpleJson);
    return items.includes(null) ? null : items;
  }
  if (item.kind !== "map") return null;
  const entries: [string, Printable][] = [];
  for (const [key, value] of item.entries) {
    const json = simpleJson(value);
    if (json === null || (key.kind !== "int" && key.kind !== "text")) return null;
    entries.push([String(key.value), json]);
  }
  return Object.fromEntries(entries);
}

function unlessEmpty(list: readonly Printable[]): readonly Printable[] | undefined {
  return list.length === 0 ? undefined : list;
}
