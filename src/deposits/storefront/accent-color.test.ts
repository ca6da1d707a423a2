import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  accentOf,
  backgrounds,
  contrast,
  isReadable,
  leastContrast,
  parseColor,
  readableColor,
  tint,
} from "./accent-color.ts";

/* A store's color: its contrast is WCAG's, and what does not contrast enough gets a readable neighbor. */

const css = readFileSync(
  join(import.meta.dirname, "../../../web/page/src/styles/colors.css"),
  "utf8",
);

describe("contrast", () => {
  it.each([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    // Values of WebAIM's contrast checker.
    ["#767676", "#ffffff", 4.54],
    ["#777777", "#ffffff", 4.47],
    ["#0000ff", "#ffffff", 8.59],
    ["#ff0000", "#ffffff", 3.99],
  ])("of %s on %s is %f", (one, other, ratio) => {
    expect(Math.floor(contrast(one, other) * 100) / 100).toBe(ratio);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });
});

describe("readableColor", () => {
  it.each(["#ffd400", "#ffffff", "#000000", "#7f7f7f", "#00ff00", "#123456", "#c0ffee"])(
    "changes %s only as far as both schemes need",
    (color) => {
      for (const scheme of ["light", "dark"] as const) {
        const near = readableColor(color, scheme);
        expect(isReadable(near, scheme)).toBe(true);
        if (isReadable(color, scheme)) expect(near).toBe(color);
      }
    },
  );

  it("keeps the hue: a yellow becomes a dark yellow", () => {
    expect(readableColor("#ffd400", "light")).toBe("#816b00");
  });

  it.each(["#ffd400", "#767676", "#00ff00"])("goes no step further than %s needs", (color) => {
    const near = readableColor(color, "light");
    const step = (channel: string) => Math.min(255, Number.parseInt(channel, 16) + 1);
    const lighter = (near.slice(1).match(/../g) ?? []).map((channel, index) =>
      // A channel that is 0 in the color stays 0 in its darker ones.
      color.slice(1 + index * 2, 3 + index * 2) === "00" ? 0 : step(channel),
    );
    const hex = lighter.map((value) => value.toString(16).padStart(2, "0")).join("");
    expect(isReadable(`#${hex}`, "light")).toBe(false);
  });
});

describe("leastContrast", () => {
  it.each([
    ["#ffd400", "light", "page", "#eef2f1"],
    ["#767676", "light", "button", "#f1f1f1"],
    ["#0b2b6d", "dark", "list", "#1f292b"],
    ["#ffffff", "dark", "button", "#2e3537"],
  ] as const)("of %s in %s mode is on the %s", (color, scheme, place, background) => {
    expect(leastContrast(color, scheme)).toEqual({
      place,
      background,
      contrast: contrast(color, background),
    });
  });
});

describe("accentOf", () => {
  it.each(["#ffd400", "#0b6b5d", "#7f7f7f", "#ff0000", "#0000ff"])(
    "puts readable text on %s",
    (color) => {
      expect(contrast(color, accentOf(color).ink)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

it("checks the backgrounds that the payment page has", () => {
  const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
  const valueOf = (part: string, name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  for (const [scheme, part] of [
    ["light", light],
    ["dark", dark],
  ] as const)
    expect(["back", "card", "well"].map((name) => valueOf(part, name))).toEqual(
      backgrounds[scheme],
    );
  expect(css).toContain(`color-mix(in srgb, var(--accent) ${tint * 100}%, var(--card))`);
});

it("parses only #rrggbb", () => {
  expect(parseColor(" #0B6b5D ")).toBe("#0b6b5d");
  for (const text of ["0b6b5d", "#fff", "#0b6b5d00", "red", "#0b6b5g", "url(#0b6b5d)"])
    expect(parseColor(text)).toBeNull();
});
