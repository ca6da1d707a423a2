import { TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { parseColor } from "../../../../../src/deposits/storefront/accent-color.ts";
import { t } from "../../language/t.ts";
import { colorProblem } from "./color-problem.ts";
import type { StoreValues } from "./store-values.ts";
import "./color-field.css";

/** A color as text with the browser's color picker beside it; a color that is hard to read is named as soon as it is entered. */
export function ColorField({
  form,
  name,
  label,
  description,
}: {
  readonly form: UseFormReturnType<StoreValues>;
  readonly name: "accent_color" | "accent_color_dark";
  readonly label: string;
  readonly description: string;
}) {
  const color = parseColor(form.values[name]);
  return (
    <TextInput
      label={label}
      description={description}
      maxLength={7}
      autoComplete="off"
      spellCheck={false}
      placeholder="#rrggbb"
      leftSectionPointerEvents="all"
      leftSection={
        <input
          type="color"
          className={color === null ? "color-picker is-unset" : "color-picker"}
          aria-label={t("{label}: color picker", { label })}
          value={color ?? "#808080"}
          onChange={(event) => {
            form.setFieldValue(name, event.currentTarget.value);
          }}
        />
      }
      {...form.getInputProps(name)}
      error={form.errors[name] ?? colorProblem(form.values[name], name)}
    />
  );
}
