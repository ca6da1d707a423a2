import { join } from "node:path";
import type { Teardown } from "../../src/main/processes/teardown.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { pairFolders } from "./paired-signers.ts";
import type { Shape } from "./shape.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

/** Small disks by the folder that they hold. */
export type Disks = ReadonlyMap<string, SmallDisk>;

export const noDisks: Disks = new Map();

const mebibyte = 1024 * 1024;
/** The database has some 60 MiB before the first request, and a long run adds as much. */
const databaseBytes = 512 * mebibyte;
const signerBytes = 64 * mebibyte;

/** Mounts a disk for the database and one for each signer of a deployment in `folder`, on a machine that can (`canMount`). */
export async function mountDisks(
  folder: string,
  { etcd }: Pick<Shape, "etcd">,
  teardown: Teardown,
): Promise<Disks> {
  const signer = join(folder, "signer");
  const signers = etcd === null ? [signer] : Object.values(pairFolders({ folder: signer }));
  const sizes = [
    [join(folder, "postgres"), databaseBytes] as const,
    ...signers.map((path) => [path, signerBytes] as const),
  ];
  const disks = new Map<string, SmallDisk>();
  for (const [path, bytes] of sizes) {
    const disk = present(await mountSmallDisk(path, { bytes, mode: "700" }), `a disk at ${path}`);
    teardown.add(`disk at ${path}`, disk.close);
    disks.set(path, disk);
  }
  return disks;
}
