import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { t } from "./language/t.ts";

/** The primary color. Shade 6 on white and white on shade 7 have a contrast of at least 4.5:1. */
const lagoon: MantineColorsTuple = [
  "#e9f6f4",
  "#d3ece8",
  "#a5d8d1",
  "#74c4ba",
  "#4db2a6",
  "#2c9d91",
  "#0c7a72",
  "#0b6862",
  "#0a5650",
  "#063f3b",
];

/** The color of pending states, distinguishable from the primary color with red-green color blindness. */
const amber: MantineColorsTuple = [
  "#fff6e5",
  "#fdeac6",
  "#f9d592",
  "#f3bd5b",
  "#e9a52f",
  "#cc8415",
  "#96590a",
  "#7e4a08",
  "#663b06",
  "#472904",
];

/** Grays with a tint of the primary color. */
const gray: MantineColorsTuple = [
  "#f7f9f9",
  "#eff3f2",
  "#e2e8e7",
  "#d1d9d8",
  "#b3bebd",
  "#8b9998",
  "#657372",
  "#4a5756",
  "#343f3e",
  "#1f2827",
];

const dark: MantineColorsTuple = [
  "#dce5e4",
  "#bccac8",
  "#9aaba9",
  "#6d7f7d",
  "#425250",
  "#32403e",
  "#24312f",
  "#182220",
  "#121a19",
  "#0b1110",
];

/** The dashboard's theme. */
export const theme = createTheme({
  primaryColor: "lagoon",
  primaryShade: { light: 6, dark: 7 },
  colors: { lagoon, amber, gray, dark },
  white: "#ffffff",
  black: "#16201f",
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.625rem", lineHeight: "1.25" },
      h2: { fontSize: "1.125rem", lineHeight: "1.35" },
      h3: { fontSize: "1rem", lineHeight: "1.4" },
    },
  },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  components: {
    Card: { defaultProps: { withBorder: true, padding: "lg", radius: "lg" } },
    Paper: { defaultProps: { radius: "lg" } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        closeButtonProps: { "aria-label": t("Close") },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": t("Close") } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": t("Close") } } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { "aria-label": t("Show or hide the password") },
      },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Badge: { defaultProps: { radius: "sm" } },
    Alert: { defaultProps: { radius: "md" } },
  },
});

/** Mantine's dimmed, placeholder and error colors have less contrast than 4.5:1; these do not. `--tone-*` belong to `Tone`. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": "#566463",
    "--mantine-color-placeholder": "#657372",
    "--mantine-color-error": "#b42318",
    "--mantine-color-anchor": "#0b6862",
    "--card-ground": "#ffffff",
    "--sluice-canvas": "#f4f7f7",
    "--sluice-line": "#dfe6e5",
    "--sluice-nav": "#ffffff",
    "--sluice-nav-active": "#e3f2f0",
    "--sluice-nav-active-text": "#07514c",
    "--tone-good": "#dff3ec",
    "--tone-good-text": "#0b5a41",
    "--tone-waiting": "#e4eefb",
    "--tone-waiting-text": "#184a84",
    "--tone-attention": "#fdeac6",
    "--tone-attention-text": "#6b4306",
    "--tone-bad": "#fce4e1",
    "--tone-bad-text": "#912018",
    "--tone-neutral": "#e9eeed",
    "--tone-neutral-text": "#414e4d",
  },
  dark: {
    "--mantine-color-body": "#182220",
    "--mantine-color-dimmed": "#a3b3b1",
    "--mantine-color-placeholder": "#93a4a2",
    "--mantine-color-error": "#ff9b90",
    "--mantine-color-anchor": "#74c4ba",
    "--card-ground": "var(--mantine-color-dark-6)",
    "--sluice-canvas": "#111918",
    "--sluice-line": "#2b3936",
    "--sluice-nav": "#141d1c",
    "--sluice-nav-active": "#173733",
    "--sluice-nav-active-text": "#a5d8d1",
    "--tone-good": "#12372d",
    "--tone-good-text": "#8fdcbf",
    "--tone-waiting": "#17304a",
    "--tone-waiting-text": "#a3cdf8",
    "--tone-attention": "#43300c",
    "--tone-attention-text": "#f7cf86",
    "--tone-bad": "#4a1f1b",
    "--tone-bad-text": "#ffb4ab",
    "--tone-neutral": "#33413f",
    "--tone-neutral-text": "#c3d0ce",
  },
});
