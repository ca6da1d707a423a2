/** A network upgrade with its consensus branch id (ZIP-200) and the first block under its rules. */
export type Upgrade = {
  readonly name: string;
  readonly branchId: string;
  readonly height: number;
};

const branchIds = {
  Overwinter: "5ba81b19",
  Sapling: "76b809bb",
  Blossom: "2bb40e60",
  Heartwood: "f5b9230b",
  Canopy: "e9ff75a6",
  NU5: "c2d6d0b4",
  NU6: "c8e71055",
  "NU6.1": "4dec4df0",
  "NU6.2": "5437f330",
  "NU6.3": "37a5165b",
} as const;

export type UpgradeName = keyof typeof branchIds;

/** All upgrades in order; those without a height of their own are active from block 1 on. */
export function upgradesAt(
  heights: Readonly<Partial<Record<UpgradeName, number>>>,
): readonly Upgrade[] {
  return Object.entries(branchIds).map(([name, branchId]) => ({
    name,
    branchId,
    height: heights[name as UpgradeName] ?? 1,
  }));
}

/** The rules of the block at that height. Block 0 precedes all upgrades. */
export function upgradeAt(upgrades: readonly Upgrade[], height: number): Upgrade | null {
  return upgrades.findLast((upgrade) => upgrade.height <= height) ?? null;
}
