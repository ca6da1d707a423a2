import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import jsQr from "jsqr";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import type { Resource } from "../../scenarios/support/api-client.ts";
import type { BrowserSite } from "./browser-suite.ts";
import { type Appearance, type Device, resultsFolder, type Scheme, type Visit } from "./visit.ts";

/** A payment page in its own browser context. */
export type Payer = Visit & {
  /** Waits for a heading. Only live updates can change it, because nothing reloads the page. */
  readonly expectTitle: (title: string) => Promise<void>;
  /** Waits until the card contains a text. */
  readonly expectText: (text: string | RegExp) => Promise<void>;
  /** Chooses a currency by its name and network. */
  readonly choose: (name: string, network: string) => Promise<void>;
  /** Returns the value of a labeled field. */
  readonly field: (label: string) => Promise<string>;
  /** Decodes the QR code from a screenshot. */
  readonly code: () => Promise<string>;
  /** Fails if the page was reloaded. */
  readonly expectSameDocument: () => Promise<void>;
  /** Takes screenshots on phone and desktop, light and dark, and expects no axe violations. */
  readonly expectPresentable: (name: string) => Promise<void>;
};

const sizes: Readonly<Record<Device, { readonly width: number; readonly height: number }>> = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 800 },
};

/** Returns the path of a deposit's payment page. */
export function pagePath({ attributes }: Resource): string {
  const url = attributes["payment_page"];
  if (typeof url !== "string") throw new Error("the deposit has no payment page");
  return new URL(url).pathname;
}

/** Opens a deposit's page, by default on a phone. */
export async function openPayer(
  site: BrowserSite,
  deposit: Resource,
  appearance: Appearance = { device: "phone" },
): Promise<Payer> {
  return payerOf(await site.open(pagePath(deposit), appearance));
}

export async function payerOf(visit: Visit): Promise<Payer> {
  const { page } = visit;
  await page.evaluate("window.isFirstDocument = true");
  const textOf = async (label: string): Promise<string> => {
    const field = page.locator(".field", { has: page.getByText(label, { exact: true }) });
    return field.locator(".field-value").innerText();
  };
  return {
    ...visit,
    expectTitle: (title) => expectTitle(page, title),
    // Announcements for screen readers are outside of the card.
    expectText: (text) => page.getByRole("main").getByText(text).first().waitFor(),
    choose: async (name, network) => {
      await page
        .getByRole("option")
        .filter({ has: page.getByText(name, { exact: true }) })
        .filter({ has: page.getByText(`on ${network}`, { exact: true }) })
        .click();
      await page.getByRole("button", { name: `Pay with ${name}` }).click();
    },
    field: textOf,
    code: async () => readCode(page, await page.locator("svg.qr").screenshot()),
    expectSameDocument: async () => {
      expect(await page.evaluate("window.isFirstDocument")).toBe(true);
    },
    expectPresentable: async (name) => {
      for (const [device, scheme] of appearances) {
        await page.setViewportSize(sizes[device]);
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await shoot(page, `pay-${name}-${device}-${scheme}`);
        await visit.expectAccessible();
        await expect.poll(() => sidewaysPixels(page)).toBe(0);
      }
    },
  };
}

const appearances: readonly (readonly [Device, Scheme])[] = [
  ["phone", "light"],
  ["phone", "dark"],
  ["tablet", "light"],
  ["desktop", "light"],
  ["desktop", "dark"],
];

async function expectTitle(page: Page, title: string): Promise<void> {
  const heading = page.getByRole("heading", { level: 1, name: title, exact: true });
  await heading.waitFor().catch(async (error: unknown) => {
    const shown = await page.getByRole("heading", { level: 1 }).allInnerTexts();
    throw new Error(`the heading is ${shown.join()}, not ${title}`, { cause: error });
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = join(resultsFolder, "screenshots");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}

/** Returns by how many pixels the page can be scrolled sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

type Picture = { readonly pixels: string; readonly width: number; readonly height: number };

/** Decodes the PNG in a separate tab and the QR code here. */
export async function readCode(page: Page, png: Buffer): Promise<string> {
  const reader = await page.context().newPage();
  const { pixels, width, height } = await reader.evaluate<Picture>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const { width, height } = image;
    const drawing = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, width, height);
    const pixels = btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
    return { pixels, width, height };
  })()`);
  await reader.close();
  const found = jsQr.default(new Uint8ClampedArray(Buffer.from(pixels, "base64")), width, height);
  if (found === null) throw new Error("cannot decode the QR code");
  return found.data;
}

/** A blue disc of 32 pixels, as a data URL. */
export const teapot = `data:image/png;base64,${[
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAA6UlEQVR42s2XwRGDIBBFvTrpxzsV5EgB3NMFl9RAAfRiARRgAZZANjPfmY2TRE",
  "R09/AuDrBPWBbobvdnJ8neDgPhCE8EIoKAbw5tmgr0hEWQROQNEtpa9D0kYDDYXBB4zYy+plbgPZ1jReA1I8baJfAgpgbBFyaMWSTgGgfnEm5L",
  "wDSa9n/LYX4J9EiafDKB7w4uYCuzvWZ32G8CV/w9n4UPgaGwyLQiLRWTZ36+GMcFvICA5wJBQCBwgSggEFUJiC+BeBKKb0PxQiReilUcRuLHsf",
  "iFRMWVTMWlVMW1XMXDRMXTTMXj9FReTj84O5g066YAAAAASUVORK5CYII=",
].join("")}`;

/** Request that sets what the store's pages show. */
export const pageSettings: JsonObject = {
  data: {
    type: "store-settings",
    attributes: {
      shop_name: "Blue Teapot",
      help_email: "help@teapot.example",
      logo: teapot,
      accent_color: "#0b4f8a",
      receipt_note: "Blue Teapot, 1 Main Street\nVAT DE 123456789",
    },
  },
};
