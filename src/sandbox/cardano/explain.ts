import { addressText, paymentCredential } from "./address.ts";
import { minLovelace, parameters } from "./parameters.ts";
import type { Printable, PrintableObject } from "./print-json.ts";
import {
  printLovelace,
  printOutput,
  printReference,
  printValidity,
  printValue,
} from "./print-values.ts";
import { code, Refusal } from "./refusal.ts";
import type { Output, OutputReference, Transaction } from "./transaction.ts";
import { addValues, nothing, type Value } from "./value.ts";

export type Context = {
  readonly transaction: Transaction;
  /** The unspent output of a reference; null for an unknown one. */
  readonly find: (reference: OutputReference) => Output | null;
  readonly slot: number;
};

type Explanation = {
  readonly pattern: RegExp;
  readonly code: number;
  readonly message: string;
  readonly data?: (context: Context, fault: string) => PrintableObject;
};

const hash28 = /(?<![0-9a-f])[0-9a-f]{56}(?![0-9a-f])/g;
/** Testnets have 0 in their addresses. */
const testnet = 0;

/** The error of Ogmios for what scalus finds wrong. Data that its text does not give is computed here. */
export function explain(context: Context, fault: string): Refusal {
  for (const { code: number, data, message, pattern } of explanations)
    if (pattern.test(fault)) return new Refusal(number, message, data?.(context, fault));
  return new Refusal(code.unexpectedMempoolError, "The mempool does not take the transaction.", {
    error: fault,
  });
}

const explanations: readonly Explanation[] = [
  {
    pattern: /^Missing .*inputs in UTxO state|^Missing inputs/,
    code: code.unknownOutputReference,
    message: "The transaction refers to outputs that do not exist or are spent.",
    data: ({ find, transaction: { collaterals, inputs, references } }) => ({
      unknownOutputReferences: [...inputs, ...collaterals, ...references]
        .filter((reference) => find(reference) === null)
        .map(printReference),
    }),
  },
  {
    pattern: /^Invalid verified signatures/,
    code: code.invalidSignatories,
    message: "Signatures are not those of the transaction's body.",
    data: (_context, fault) => ({
      invalidSignatories: [...fault.matchAll(/Witness\("([0-9a-f]{64})/g)].map(
        ([, key]) => key ?? "",
      ),
    }),
  },
  {
    pattern: /^Missing key hashes/,
    code: code.missingSignatories,
    message: "Signatures of keys are missing.",
    data: (_context, fault) => ({ missingSignatories: hashesIn(fault) }),
  },
  {
    pattern: /outside the validity interval/,
    code: code.outsideOfValidityInterval,
    message: "The transaction is not valid in the current slot.",
    data: ({ slot, transaction: { invalidAfter, invalidBefore } }) => ({
      validityInterval: printValidity(invalidBefore, invalidAfter),
      currentSlot: slot,
    }),
  },
  {
    pattern: /^Transaction outputs are too small/,
    code: code.insufficientlyFundedOutputs,
    message: "Outputs have less than the minimum of lovelace for their size.",
    data: ({ transaction }) => ({
      insufficientlyFundedOutputs: allOutputs(transaction)
        .map((output) => ({ output, least: minLovelace(output.raw.length) }))
        .filter(({ least, output }) => output.value.lovelace < least)
        .map(({ least, output }) => ({
          output: printOutput(output),
          minimumRequiredValue: printLovelace(least),
        })),
    }),
  },
  {
    pattern: /: fee Coin\(\d+\) is less/,
    code: code.feeTooSmall,
    message: "The fee is smaller than the required minimum.",
    data: ({ transaction: { fee } }, fault) => ({
      minimumRequiredFee: printLovelace(BigInt(/required Coin\((\d+)\)/.exec(fault)?.[1] ?? 0)),
      providedFee: printLovelace(fee),
    }),
  },
  {
    pattern: /^Value not conserved/,
    code: code.valueNotConserved,
    message: "What the transaction consumes is not what it produces.",
    data: ({ find, transaction: { fee, inputs, mint, outputs } }) => {
      const minted = { lovelace: 0n, assets: mint };
      return {
        valueConsumed: printValue(addValues(sumOf(inputs.map(find)), positive(minted, 1n))),
        valueProduced: printValue(
          addValues(
            addValues(sumOf(outputs), { ...nothing, lovelace: fee }),
            positive(minted, -1n),
          ),
        ),
      };
    },
  },
  {
    pattern: /^Wrong network address/,
    code: code.networkMismatch,
    message: "Addresses are of another network.",
    data: ({ transaction }) => ({
      expectedNetwork: "testnet",
      discriminatedType: "address",
      invalidEntities: allOutputs(transaction)
        .map(({ address }) => address)
        .filter((address) => paymentCredential(address) !== null)
        .filter((address) => ((address[0] ?? 0) & 15) !== testnet)
        .map(addressText),
    }),
  },
  {
    pattern: /^Wrong network id/,
    code: code.networkMismatch,
    message: "The transaction is for another network.",
    data: () => ({ expectedNetwork: "testnet", discriminatedType: "transaction" }),
  },
  {
    pattern: /^Plutus script validation failed/,
    code: code.spendsMismatch,
    message: "A script fails, but the transaction says that it spends its inputs.",
    data: () => mismatch("inputs", "failed"),
  },
  {
    pattern: /invalid flag passed script validation/,
    code: code.spendsMismatch,
    message: "No script fails, but the transaction says that it spends its collateral.",
    data: () => mismatch("collaterals", "passed"),
  },
  {
    pattern: /^Missing or extra script hashes(?!.*extra script hashes: \w*Set\(\)$)/,
    code: code.extraneousScripts,
    message: "The transaction has scripts that nothing needs.",
    data: (_context, fault) => ({
      extraneousScripts: hashesIn(fault.slice(fault.indexOf("extra script hashes: "))),
    }),
  },
  {
    pattern: /^Missing or extra script hashes/,
    code: code.missingScripts,
    message: "Scripts are missing.",
    data: (_context, fault) => ({ missingScripts: hashesIn(fault) }),
  },
  {
    pattern: /^Invalid native scripts/,
    code: code.failingNativeScripts,
    message: "Native scripts fail.",
    data: (_context, fault) => ({ failingNativeScripts: hashesIn(fault) }),
  },
  {
    pattern: /^Invalid script data hash/,
    code: code.scriptIntegrityHashMismatch,
    message: "The script integrity hash is another one.",
    data: ({ transaction }, fault) => ({
      providedScriptIntegrity: transaction.scriptIntegrityHash,
      computedScriptIntegrity: /expected: .*?([0-9a-f]{64})/.exec(fault)?.[1] ?? null,
    }),
  },
  {
    pattern: /^Exact set of redeemers.*missing redeemers: \w*Set\(\)$/,
    code: code.extraneousRedeemers,
    message: "The transaction has redeemers that nothing needs.",
  },
  {
    pattern: /^Exact set of redeemers/,
    code: code.missingRedeemers,
    message: "Redeemers are missing.",
  },
  {
    pattern:
      /^Datums validation failed.*unmatched datum hashes: \w*Set\(\), not allowed supplemental datum hashes: \w*Set\([^)]/,
    code: code.extraneousDatums,
    message: "The transaction has datums that nothing needs.",
  },
  {
    pattern: /^Datums validation failed/,
    code: code.missingDatums,
    message: "Datums are missing.",
  },
  {
    pattern: /^Ill-formed scripts/,
    code: code.malformedScripts,
    message: "Scripts are malformed.",
    data: (_context, fault) => ({ malformedScripts: hashesIn(fault) }),
  },
  {
    pattern: /^Transaction size/,
    code: code.transactionTooLarge,
    message: "The transaction is too large.",
    data: ({ transaction: { raw } }) => ({
      measuredTransactionSize: { bytes: raw.length },
      maximumTransactionSize: { bytes: parameters.maxTransactionSize },
    }),
  },
  {
    pattern: /exceed maximum value storage size/,
    code: code.valueTooLarge,
    message: "The values of outputs are too large.",
  },
  {
    pattern: /^Empty transaction inputs/,
    code: code.emptyInputSet,
    message: "There are no inputs.",
  },
  {
    pattern: /^Missing auxiliary data hash/,
    code: code.missingMetadataHash,
    message: "The body has no hash of the metadata.",
  },
  {
    pattern: /^Missing auxiliary data/,
    code: code.missingMetadata,
    message: "The metadata is missing.",
    data: ({ transaction: { metadataHash } }) => ({ metadata: { hash: metadataHash } }),
  },
  {
    pattern: /^Invalid auxiliary data hash/,
    code: code.metadataHashMismatch,
    message: "The metadata has another hash than the body says.",
  },
  {
    pattern: /^Invalid auxiliary data/,
    code: code.invalidMetadata,
    message: "The metadata has a text or bytes longer than 64 bytes.",
  },
  {
    pattern: /attributes/,
    code: code.bootstrapAttributesTooLarge,
    message: "Addresses of Byron have attributes that are too large.",
  },
  {
    pattern: /^Execution units/,
    code: code.executionUnitsTooLarge,
    message: "The scripts may use more units than a transaction can have.",
    data: ({ transaction: { redeemers } }) => ({
      providedExecutionUnits: {
        memory: redeemers.reduce((sum, { memory }) => sum + memory, 0n),
        cpu: redeemers.reduce((sum, { cpu }) => sum + cpu, 0n),
      },
      maximumExecutionUnits: { memory: parameters.maxMemory, cpu: parameters.maxCpu },
    }),
  },
  {
    pattern: /^Too many collateral inputs/,
    code: code.tooManyCollateralInputs,
    message: "There are too many collateral inputs.",
    data: ({ transaction: { collaterals } }) => ({
      maximumCollateralInputs: parameters.maxCollateralInputs,
      countedCollateralInputs: collaterals.length,
    }),
  },
  {
    pattern: /no collateral inputs provided/,
    code: code.missingCollateralInputs,
    message: "A transaction with scripts needs collateral.",
  },
  {
    pattern: /collateral contains non-VKey addresses/,
    code: code.collateralLockedByScript,
    message: "Collateral belongs to a script.",
  },
  {
    pattern: /collateral contains non-ADA assets/,
    code: code.nonAdaCollateral,
    message: "Collateral has more than ada.",
  },
  {
    pattern: /is insufficient \(required/,
    code: code.insufficientCollateral,
    message: "The collateral is too small for the fee.",
  },
  {
    pattern: /does not match expected/,
    code: code.totalCollateralMismatch,
    message: "The total collateral is not what the inputs have beyond the return.",
  },
];

function mismatch(declaredSpending: string, happened: "failed" | "passed"): PrintableObject {
  return { declaredSpending, mismatchReason: `The transaction ${happened} unexpectedly.` };
}

function hashesIn(fault: string): Printable {
  // The first hash of 64 digits is the transaction's, which the pattern leaves out.
  return [...new Set(fault.match(hash28) ?? [])];
}

function allOutputs({ collateralReturn, outputs }: Transaction): readonly Output[] {
  return collateralReturn === null ? outputs : [...outputs, collateralReturn];
}

function sumOf(outputs: readonly (Output | null)[]): Value {
  return outputs.reduce<Value>(
    (sum, output) => (output === null ? sum : addValues(sum, output.value)),
    nothing,
  );
}

/** What is minted (sign 1) or burned (sign -1), as positive quantities. */
function positive({ assets }: Value, sign: 1n | -1n): Value {
  const kept = [...assets].map(([policy, names]) => {
    const quantities = [...names].flatMap(([name, amount]) =>
      amount * sign > 0n ? [[name, amount * sign] as const] : [],
    );
    return [policy, new Map(quantities)] as const;
  });
  return { lovelace: 0n, assets: new Map(kept.filter(([, names]) => names.size > 0)) };
}
