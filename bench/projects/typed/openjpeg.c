// Operators of openjpeg on images and tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"
#include "opj_includes.h"

static opj_event_mgr_t silent;

static opj_image_t *image(int components, int w, int h) {
  opj_image_t *out = (opj_image_t *)zeroed(1, sizeof(opj_image_t));
  out->x1 = w;
  out->y1 = h;
  out->numcomps = components;
  out->comps = (opj_image_comp_t *)zeroed(components, sizeof(opj_image_comp_t));
  for (int i = 0; i < components; ++i) {
    out->comps[i].dx = out->comps[i].dy = 1;
    out->comps[i].w = w;
    out->comps[i].h = h;
    out->comps[i].prec = 8;
    out->comps[i].data = (OPJ_INT32 *)filled((double)w * h, 'i');
  }
  return out;
}

static opj_cp_t *coding(int components, int w, int h, int resolutions) {
  opj_cp_t *out = (opj_cp_t *)zeroed(1, sizeof(opj_cp_t));
  out->tdx = w;
  out->tdy = h;
  out->tw = out->th = 1;
  out->tcps = (opj_tcp_t *)zeroed(1, sizeof(opj_tcp_t));
  out->tcps->numlayers = 1;
  out->tcps->tccps = (opj_tccp_t *)zeroed(components, sizeof(opj_tccp_t));
  for (int i = 0; i < components; ++i) {
    out->tcps->tccps[i].numresolutions = resolutions;
    for (int j = 0; j < resolutions; ++j)
      out->tcps->tccps[i].prcw[j] = out->tcps->tccps[i].prch[j] = 15;
  }
  return out;
}

static void resolve(opj_tcd_tilecomp_t *out, int w, int h, int resolutions) {
  memset(out, 0, sizeof(*out));
  out->x1 = w;
  out->y1 = h;
  out->numresolutions = out->minimum_num_resolutions = resolutions;
  out->resolutions = (opj_tcd_resolution_t *)zeroed(resolutions, sizeof(opj_tcd_resolution_t));
  for (int i = 0; i < resolutions; ++i) {
    out->resolutions[i].x1 = w;
    out->resolutions[i].y1 = h;
  }
  out->data = (OPJ_INT32 *)filled((double)w * h, 'i');
}

//@ opj_image_tile_create numcmpts=3; clrspc=1 | numcmpts=30; clrspc=1
OPERATOR(opj_image_tile_create) {
  opj_image_cmptparm_t p[64] = {0};
  COUNTED(opj_image_tile_create(INTEGER(0), p, (OPJ_COLOR_SPACE)INTEGER(1)));
}
//@ opj_image_create numcmpts=3; clrspc=1 | numcmpts=30; clrspc=1
OPERATOR(opj_image_create) {
  opj_image_cmptparm_t p[64] = {0};
  for (int i = 0; i < 64; ++i) {
    p[i].w = 300;
    p[i].h = 200;
  }
  COUNTED(opj_image_create(INTEGER(0), p, (OPJ_COLOR_SPACE)INTEGER(1)));
}
//@ opj_copy_image_header p_image_src.numcomps=3,p_image_src.comps.count=3,p_image_src.icc_profile_len=100,OTHERS=0 | p_image_src.numcomps=30,p_image_src.comps.count=30,p_image_src.icc_profile_len=100000,OTHERS=0
OPERATOR(opj_copy_image_header) {
  opj_image_t *from = image(INTEGER(0), 10, 10), to = {0};
  from->icc_profile_len = INTEGER(2);
  from->icc_profile_buf = (OPJ_BYTE *)filled(NUMBER(2), 'b');
  COUNTED(opj_copy_image_header(from, &to));
}
//@ opj_tgt_create numleafsh=10,numleafsv=12,OTHERS=0 | numleafsh=1000,numleafsv=777,OTHERS=0
OPERATOR(opj_tgt_create) { COUNTED(opj_tgt_create(INTEGER(0), INTEGER(1), &silent)); }
//@ opj_dwt_encode tilec.x1=100,tilec.y1=80,tilec.numresolutions=3,tilec.resolutions.count=3,tilec.resolutions.x1=100,tilec.resolutions.y1=80,OTHERS=0
OPERATOR(opj_dwt_encode) {
  opj_tcd_t tcd = {0};
  opj_tcd_tilecomp_t comp;
  tcd.thread_pool = opj_thread_pool_create(0);
  resolve(&comp, INTEGER(0), INTEGER(1), INTEGER(2));
  COUNTED(opj_dwt_encode(&tcd, &comp));
}
//@ opj_sparse_array_int32_create width=100,height=80,block_width=16,block_height=16 | width=10000,height=8000,block_width=64,block_height=64
OPERATOR(opj_sparse_array_int32_create) {
  COUNTED(opj_sparse_array_int32_create(INTEGER(0), INTEGER(1), INTEGER(2), INTEGER(3)));
}
//@ opj_j2k_setup_mct_encoding p_tcp.mct=1,p_image.numcomps=3,p_image.comps.count=3,OTHERS=0
OPERATOR(opj_j2k_setup_mct_encoding) {
  opj_image_t *im = image(3, 10, 10);
  opj_tcp_t tcp = {0};
  tcp.mct = 1;
  COUNTED(opj_j2k_setup_mct_encoding(&tcp, im));
}
