import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import jsQr from "jsqr";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import type { Resource } from "../../scenarios/stage/api-client.ts";
import type { BrowserSite } from "./browser-suite.ts";
import { type Device, type Look, resultsFolder, type Scheme, type Visit } from "./visit.ts";

/** Somebody who pays: a payment page in a browser of their own. */
export type Payer = Visit & {
  /** Waits until the page's heading says this; by the live updates alone, since nothing reloads the page. */
  readonly expectTitle: (title: string) => Promise<void>;
  /** Waits until the card shows a text, also in part. */
  readonly expectText: (text: string) => Promise<void>;
  /** Picks a coin by its name and network as the list shows them, and pays with it. */
  readonly choose: (name: string, network: string) => Promise<void>;
  /** What stands beside a label: the amount to send, the address. */
  readonly field: (label: string) => Promise<string>;
  /** What the code says that the page shows, read from a picture of it as a wallet's camera reads it. */
  readonly code: () => Promise<string>;
  /** Fails unless the page is still the one that was opened. */
  readonly expectSameDocument: () => Promise<void>;
  /** Keeps pictures on phone and desktop, light and dark, and expects no fault of axe's in any of them. */
  readonly expectPresentable: (name: string) => Promise<void>;
};

const sizes: Readonly<Record<Device, { readonly width: number; readonly height: number }>> = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
};

/** Path of a deposit's payment page. */
export function pagePath({ attributes }: Resource): string {
  const url = attributes["payment_page"];
  if (typeof url !== "string") throw new Error("the deposit has no payment page");
  return new URL(url).pathname;
}

/** Opens a deposit's page, by default on a phone. */
export async function openPayer(
  site: BrowserSite,
  deposit: Resource,
  look: Look = { device: "phone" },
): Promise<Payer> {
  return payerOf(await site.open(pagePath(deposit), look));
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
    // What is announced besides stands outside of the card.
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
      for (const [device, scheme] of looks) {
        await page.setViewportSize(sizes[device]);
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await shoot(page, `pay-${name}-${device}-${scheme}`);
        await visit.expectAccessible();
        await expect.poll(() => sidewaysPixels(page)).toBe(0);
      }
    },
  };
}

const looks: readonly (readonly [Device, Scheme])[] = [
  ["phone", "light"],
  ["phone", "dark"],
  ["desktop", "light"],
  ["desktop", "dark"],
];

async function expectTitle(page: Page, title: string): Promise<void> {
  const heading = page.getByRole("heading", { level: 1, name: title, exact: true });
  await heading.waitFor().catch(async (error: unknown) => {
    const shown = await page.getByRole("heading", { level: 1 }).allInnerTexts();
    throw new Error(`the page says ${shown.join()}, not ${title}`, { cause: error });
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = join(resultsFolder, "screenshots");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}

/** How far the page can be scrolled sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

type Picture = { readonly pixels: string; readonly width: number; readonly height: number };

/** The browser unpacks the picture, in a tab of its own; what it says is read here. */
async function readCode(page: Page, png: Buffer): Promise<string> {
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
  if (found === null) throw new Error("nothing can be read from the code");
  return found.data;
}

/** The shop's name and help address on its pages, as its owner sets them. */
export const shopWords: JsonObject = {
  data: {
    type: "payment-page-settings",
    attributes: { shop_name: "Blue Teapot", help_email: "help@teapot.example" },
  },
};
