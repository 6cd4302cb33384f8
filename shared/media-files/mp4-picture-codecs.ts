/**
 * The codecs of pictures that are accepted in MP4 and QuickTime: those of which decoders take a sample for one picture, or
 * which are checked for it. They split the samples of others, such as MPEG-1 and VC-1, into all pictures that they contain.
 */
import { unmeasurable } from './media-fault.ts';

/**
 * Names of sample entries, in lower case because decoders ignore the case: H.264 with the names of cameras, H.265, MPEG-4,
 * H.261 and H.263, MPEG-2, JPEG, PNG, TIFF, JPEG 2000, ProRes, DNxHD, CineForm, DV, VP8, VP9, AV1, Theora, Hap, old codecs
 * of QuickTime, codecs of editors without loss, and uncompressed pictures.
 */
const entries =
  /^(?:avc[1-4]|ai[15][2356pq]|aivx|avin|avlg|xalg|dva[1v]|hvc1|hev1|dvh[1e]|mp4v|divx|xvid|h261|[hs]263|mp2v|m2v1|hdv[1-9a]|xdv[1-9a-f]|xd5[1-9a-f]|mx[345][np]|m?jpeg|mjp[abg2]|avdj|png|ap(?:c[hnso]|4[hx])|avd[nh]|cfhd|vp0[89]|vp[89]0|av01|dav1|rle|cvid|svq[13]|ffv1|gif|tiff|theo|hap[15ymam]?|rpza|smc|msvc|ffvh|hfyu|ul[yr][0-9abg]*|m8[a-z0-9]{2}|icod|dv(?:c|cp|pp|p|5n|5p|hp|hq|h[2-6])|raw|2vuy|yuv[2s]|v210|r210|v[34][01][08])$/;

/** The object types in an `esds` of these codecs: MPEG-4, H.264, H.265, MPEG-2, JPEG, PNG, JPEG 2000 and VP9. */
const objectTypes = new Set([0x20, 0x21, 0x23, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x6c, 0x6d, 0x6e, 0xb1]);

/** @throws {MediaFault} unmeasurable */
export function requirePictureEntry(name: string): void {
  if (!entries.test(name.trim().toLowerCase())) throw unmeasurable(name.replaceAll(/[^\w.-]/g, '?'), 'pictures');
}

/** @throws {MediaFault} unmeasurable */
export function requirePictureType(type: number): void {
  if (!objectTypes.has(type)) throw unmeasurable(`0x${type.toString(16)}`, 'pictures');
}
