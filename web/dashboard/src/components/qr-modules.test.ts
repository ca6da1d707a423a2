import { describe, expect, it } from "vitest";
import { qrModules, qrSvg } from "./qr-modules.ts";

describe("qrModules", () => {
  const { rows, size, path } = qrModules("https://pay.example.com/link/abc/");

  it("has a quiet zone of four modules around the finder patterns", () => {
    expect(rows).toHaveLength(size);
    const margin = [...rows.slice(0, 4), ...rows.slice(-4)];
    expect(margin.flat().filter(Boolean)).toEqual([]);
    expect(rows[4]?.slice(0, 12)).toEqual([
      ...[false, false, false, false],
      ...[true, true, true, true, true, true, true, false],
    ]);
  });

  it("draws one square for each dark module", () => {
    expect(path.match(/M/g)).toHaveLength(rows.flat().filter(Boolean).length);
  });
});

it("writes an SVG file with a white background under the code", () => {
  const { path, size } = qrModules("text");
  const svg = qrSvg("text");
  expect(svg).toMatch(new RegExp(`^<svg xmlns="[^"]+" viewBox="0 0 ${size} ${size}"`));
  expect(svg.indexOf("#fff")).toBeLessThan(svg.indexOf(path));
});
