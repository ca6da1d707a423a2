import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { resultsFolder, type Visit } from "./visit.ts";

const appearances = [
  { name: "phone-light", scheme: "light", size: { width: 390, height: 844 } },
  { name: "phone-dark", scheme: "dark", size: { width: 390, height: 844 } },
  { name: "tablet-light", scheme: "light", size: { width: 820, height: 1180 } },
  { name: "desktop-dark", scheme: "dark", size: { width: 1280, height: 800 } },
  { name: "desktop-light", scheme: "light", size: { width: 1280, height: 800 } },
] as const;

const picturesFolder = join(import.meta.dirname, "../../../docs/images");

/**
 * Takes a picture of the documentation, `docs/images/NAME.png`, as a desktop shows the page, if `SLUICE_PICTURES` is set: the documents keep
 * theirs until a run with it takes new ones.
 */
export async function picture({ page }: Visit, name: string, height = 800): Promise<void> {
  if (process.env["SLUICE_PICTURES"] === undefined) return;
  await page.setViewportSize({ width: 1280, height });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: "attached" });
  await page.screenshot({ path: join(picturesFolder, `${name}.png`), animations: "disabled" });
}

/** Takes screenshots on phone, tablet and desktop, light and dark, and expects no axe violations. */
export async function presentable({ page, expectAccessible }: Visit, name: string): Promise<void> {
  const folder = join(resultsFolder, "screenshots");
  await mkdir(folder, { recursive: true });
  for (const { name: appearance, scheme, size } of appearances) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    // The page applies the color scheme asynchronously.
    await page
      .locator(`html[data-mantine-color-scheme="${scheme}"]`)
      .waitFor({ state: "attached" });
    const path = join(folder, `${name}-${appearance}.png`);
    await page.screenshot({ path, fullPage: true, animations: "disabled" });
    await expectAccessible();
  }
}
