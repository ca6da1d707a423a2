import { findFetchedProgram } from "../support/find-fetched-program.ts";

/** How many processes of the service a deployment runs. */
export type Shape = {
  readonly apis: number;
  readonly workers: number;
  /** The program of the witness of two signers (etcd); null: one signer. */
  readonly etcd: string | null;
};

/** As few processes as a deployment can have, but for a second worker. */
export const smallShape: Shape = { apis: 1, workers: 2, etcd: null };

/** Several processes of each kind, so that others continue the work of one that fails. Without etcd there is one signer, which is printed. */
export function wholeShape(print: (line: string) => void): Shape {
  const etcd = findFetchedProgram("etcd");
  if (etcd === null) {
    print("ONE SIGNER ONLY, and no takeover is tried: etcd, the witness of two, is missing.");
    print('On Debian, run scripts/fetch-nodes.sh "" etcd (no root needed)');
  }
  return { apis: 2, workers: 3, etcd };
}
