import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../language/t.ts";
import "./image-field.css";
import { shrinkImage } from "./shrink-image.ts";

const words = {
  logo: {
    none: t("No logo"),
    chosen: t("The chosen logo"),
    upload: t("Upload logo"),
    replace: t("Replace logo"),
    remove: t("Remove logo"),
  },
  picture: {
    none: t("No picture"),
    chosen: t("The chosen picture"),
    upload: t("Upload picture"),
    replace: t("Replace picture"),
    remove: t("Remove picture"),
  },
} as const;

/** Shows a picture, and replaces it by one from the browser's machine, made small enough. */
export function ImageField({
  label,
  noun,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  readonly noun: keyof typeof words;
  /** An address, a data URL, or empty. */
  readonly value: string;
  readonly error: React.ReactNode;
  readonly onChange: (value: string) => void;
}) {
  const { none, chosen, upload, replace, remove } = words[noun];
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const image = await shrinkImage(file);
    setProblem(
      image === null
        ? t("The browser can't read this file. Choose a PNG, JPEG or WebP image.")
        : null,
    );
    if (image !== null) onChange(image);
  };
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={t("PNG, JPEG or WebP. Larger pictures are scaled down.")}
      error={problem ?? error}
    >
      <Group mt="xs" mih={48}>
        {value === "" ? (
          <Text c="dimmed" size="sm">
            {none}
          </Text>
        ) : (
          <img className="chosen-image" src={value} alt={chosen} />
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {value === "" ? upload : replace}
            </Button>
          )}
        </FileButton>
        {value === "" ? null : (
          <Button
            variant="subtle"
            onClick={() => {
              onChange("");
            }}
          >
            {remove}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
