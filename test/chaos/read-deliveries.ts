import { readFile } from "node:fs/promises";
import type { Delivery } from "./delivery.ts";

/** The receiver's record; empty without one. */
export async function readDeliveries(file: string): Promise<readonly Delivery[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Delivery);
}
