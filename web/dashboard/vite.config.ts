import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/ui/",
  oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    target: "es2022",
    // The Content-Security-Policy allows no inline scripts or styles.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
