import { permission } from "./answers.ts";
import { checkSignature, signerOf } from "./check-signature.ts";
import { type JsonRecord, printMessage } from "./json.ts";
import { permissionsOf } from "./read-accounts.ts";
import { type NodeRequest, printAddress, type Routes } from "./routes.ts";
import { printTransaction, Refusal, readTransaction, type Transaction } from "./transaction.ts";

/** Who signed a transaction, and whether that is enough. */
export const signatureRoutes: Routes = {
  getsignweight: (request) => {
    const transaction = readTransaction(request.body, request.visible);
    return { ...weigh(request, transaction), transaction: printContext(request, transaction) };
  },
  getapprovedlist: (request) => {
    const transaction = readTransaction(request.body, request.visible);
    const signers = transaction.signatures.map((one) => signerOf(one, transaction.txid) ?? "");
    return {
      ...printSigners(request, signers),
      result: {},
      transaction: printContext(request, transaction),
    };
  },
};

function weigh(request: NodeRequest, transaction: Transaction): JsonRecord {
  const { contract, signatures, txid } = transaction;
  const fault = (code: string, message: string): JsonRecord => ({ result: { code, message } });
  if (contract === null) return fault("OTHER_ERROR", "Invalid transaction: no valid contract");
  if (!request.ledger.state(request.view).accounts.has(contract.owner))
    return fault("PERMISSION_ERROR", "Account does not exist!");
  const { owner_permission, active_permission } = permissionsOf(contract.owner);
  const byId = new Map([
    [0n, owner_permission],
    ...active_permission.map((one) => [one.id, one] as const),
  ]);
  const needed = byId.get(contract.permissionId);
  if (needed === undefined)
    return fault("PERMISSION_ERROR", "Permission for this, does not exist!");
  const common = { permission: printMessage(permission, needed, request.visible) };
  if (signatures.length === 0) return { ...common, result: { code: "NOT_ENOUGH_PERMISSION" } };
  try {
    checkSignature(transaction);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...common, ...fault("PERMISSION_ERROR", error.message) };
  }
  const signers = signatures.map((one) => signerOf(one, txid) ?? "");
  return { ...common, ...printSigners(request, signers), current_weight: 1, result: {} };
}

function printSigners({ visible }: NodeRequest, signers: readonly string[]): JsonRecord {
  if (signers.length === 0) return {};
  return { approved_list: signers.map((signer) => printAddress(signer, visible)) };
}

function printContext({ visible }: NodeRequest, transaction: Transaction): JsonRecord {
  return {
    result: { result: true },
    txid: transaction.txid,
    transaction: printTransaction(transaction, null, visible),
  };
}
