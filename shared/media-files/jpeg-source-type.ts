/** Says in the XMP of a JPEG how it was made, as IPTC names it, for images that have no Content Credentials. */

const namespace = 'http://ns.adobe.com/xap/1.0/\0';

const packetOf = (sourceType: string): string =>
  `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${sourceType}"/></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;

/** The marker and the length of the segment of JFIF, which must be the first. */
const isJfif = (bytes: Buffer): boolean => bytes.length >= 6 && bytes.readUInt16BE(2) === 0xffe0;

/** Adds the segment before all others but that of JFIF, so that readers find it first. */
export function withSourceType({ buffer, byteOffset, length }: Uint8Array, sourceType: string): Uint8Array {
  const jpeg = Buffer.from(buffer, byteOffset, length);
  const content = Buffer.from(`${namespace}${packetOf(sourceType)}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  const at = isJfif(jpeg) ? 4 + jpeg.readUInt16BE(4) : 2;
  return Buffer.concat([jpeg.subarray(0, at), head, content, jpeg.subarray(at)]);
}
