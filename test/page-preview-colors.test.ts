import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageColors, previewColors } from "../web/dashboard/src/pages/store/preview-colors.ts";

/* The preview of the payment page: its colors are those of the page, or the store's as the page adapts them. */

const css = readFileSync(join(import.meta.dirname, "../web/page/src/styles/colors.css"), "utf8");
const none = { accent_color: "", accent_color_dark: "" };

describe("the preview of the payment page", () => {
  it("has the colors of the page", () => {
    const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
    for (const [scheme, part] of [
      ["light", light],
      ["dark", dark],
    ] as const)
      for (const [name, color] of Object.entries(pageColors[scheme]))
        expect(part, `${scheme} ${name}`).toContain(`--${name}: ${color};`);
  });

  it("keeps them for a store without a color, and while one is being typed", () => {
    expect(previewColors("light", none)["--page-accent"]).toBe("#0b6b5d");
    expect(previewColors("dark", { ...none, accent_color: "#7a0b4" })["--page-accent"]).toBe(
      "#6fd6c0",
    );
  });

  it("shows the store's color, and lightens it for dark mode unless there is one", () => {
    const one = { ...none, accent_color: "#7A0B4B" };
    expect(previewColors("light", one)).toMatchObject({
      "--page-accent": "#7a0b4b",
      "--page-accent-ink": "#ffffff",
    });
    expect(previewColors("dark", one)["--page-accent"]).toMatch(/^#(?!7a0b4b)[0-9a-f]{6}$/);
    expect(previewColors("dark", { ...one, accent_color_dark: "#ffd400" })["--page-accent"]).toBe(
      "#ffd400",
    );
  });
});
