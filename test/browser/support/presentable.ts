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
